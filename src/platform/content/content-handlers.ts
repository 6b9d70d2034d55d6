import type { HandlersOf } from '../api/handlers.ts';
import type { PlatformDeps } from '../deps.ts';
import { downloadFile } from './download-file.ts';
import { NavigationMemory } from './navigation-memory.ts';
import { readFile, readFiles, readPage, readPageAt, readPages, readRevision } from './read-content.ts';
import { readFileBacklinks, readLinks, readPageBacklinks } from './read-links.ts';
import { readPageView } from './read-page-view.ts';

/** The reads of content: of what readers see, and the same of any revision and any change request. */
export function contentHandlers(
  deps: PlatformDeps,
): HandlersOf<
  | 'getContent'
  | 'listPages'
  | 'listFiles'
  | 'getFile'
  | 'listFileBacklinks'
  | 'getPage'
  | 'getPageByPath'
  | 'getPageView'
  | 'listPageLinks'
  | 'listPageBacklinks'
  | 'listSpaceLinks'
  | 'getRevision'
  | 'listRevisionPages'
  | 'listRevisionFiles'
  | 'getRevisionFile'
  | 'downloadRevisionFile'
  | 'listRevisionFileBacklinks'
  | 'getRevisionPage'
  | 'getRevisionPageByPath'
  | 'getRevisionPageView'
  | 'listRevisionPageLinks'
  | 'listRevisionPageBacklinks'
  | 'listRevisionLinks'
  | 'getChangeRequestContent'
  | 'listChangeRequestPages'
  | 'listChangeRequestFiles'
  | 'getChangeRequestFile'
  | 'listChangeRequestFileBacklinks'
  | 'getChangeRequestPage'
  | 'getChangeRequestPageByPath'
  | 'listChangeRequestPageLinks'
> {
  const navigations = new NavigationMemory();
  return {
    getContent: (input) => readRevision(deps, input),
    listPages: (input) => readPages(deps, input),
    listFiles: (input) => readFiles(deps, input),
    getFile: (input) => readFile(deps, input),
    listFileBacklinks: (input) => readFileBacklinks(deps.db, input),
    getPage: (input) => readPage(deps, input),
    getPageByPath: (input) => readPageAt(deps, input),
    getPageView: (input) => readPageView(deps, navigations, input),
    listPageLinks: (input) => readLinks(deps.db, input),
    listPageBacklinks: (input) => readPageBacklinks(deps.db, input),
    listSpaceLinks: (input) => readLinks(deps.db, input),
    getRevision: (input) => readRevision(deps, input),
    listRevisionPages: (input) => readPages(deps, input),
    listRevisionFiles: (input) => readFiles(deps, input),
    getRevisionFile: (input) => readFile(deps, input),
    downloadRevisionFile: (input) => downloadFile(deps, input),
    listRevisionFileBacklinks: (input) => readFileBacklinks(deps.db, input),
    getRevisionPage: (input) => readPage(deps, input),
    getRevisionPageByPath: (input) => readPageAt(deps, input),
    getRevisionPageView: (input) => readPageView(deps, navigations, input),
    listRevisionPageLinks: (input) => readLinks(deps.db, input),
    listRevisionPageBacklinks: (input) => readPageBacklinks(deps.db, input),
    listRevisionLinks: (input) => readLinks(deps.db, input),
    getChangeRequestContent: (input) => readRevision(deps, input),
    listChangeRequestPages: (input) => readPages(deps, input),
    listChangeRequestFiles: (input) => readFiles(deps, input),
    getChangeRequestFile: (input) => readFile(deps, input),
    listChangeRequestFileBacklinks: (input) => readFileBacklinks(deps.db, input),
    getChangeRequestPage: (input) => readPage(deps, input),
    getChangeRequestPageByPath: (input) => readPageAt(deps, input),
    listChangeRequestPageLinks: (input) => readLinks(deps.db, input),
  };
}
