import {
  type ContentRead,
  contentViews,
  nameRead,
  type Operations,
  type ReadName,
} from '../../contract/index.ts';
import type { Handler, HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { downloadFile } from './download-file.ts';
import { NavigationCache } from './navigation-cache.ts';
import {
  readFile,
  readFiles,
  readPageById,
  readPageByPath,
  readPages,
  readRevision,
} from './read-content.ts';
import { readFileBacklinks, readLinks, readPageBacklinks } from './read-links.ts';
import { readPageView } from './read-page-view.ts';

/** The handler of each read; the parameters select a revision, a change request or the current content. */
type ReadHandlers = {
  readonly [Read in ContentRead]: Handler<Operations[ReadName<Read, 'Revision'>]>;
};

/** The reads of the current content, and the same reads of any revision and any change request. */
export function contentHandlers(deps: PlatformDeps): HandlersOf<'content'> {
  const navigations = new NavigationCache();
  const handlers: ReadHandlers = {
    getContent: (input) => readRevision(deps, input),
    listPages: (input) => readPages(deps, input),
    listFiles: (input) => readFiles(deps, input),
    getFile: (input) => readFile(deps, input),
    downloadFile: (input) => downloadFile(deps, input),
    listFileBacklinks: (input) => readFileBacklinks(deps, input),
    getPage: (input) => readPageById(deps, input),
    getPageByPath: (input) => readPageByPath(deps, input),
    getPageView: (input) => readPageView(deps, navigations, input),
    listPageLinks: (input) => readLinks(deps, input),
    listPageBacklinks: (input) => readPageBacklinks(deps, input),
    listLinks: (input) => readLinks(deps, input),
  };
  const named = contentViews.flatMap((view) =>
    Object.entries(handlers).map(([read, handler]) => [nameRead(read as ContentRead, view), handler]),
  );
  return Object.fromEntries(named) as HandlersOf<'content'>;
}
