import type { Page, RepoPath } from '../../model/index.ts';
import { documentEntry, groupEntry, type PageFile, PagePaths, titleFromName } from '../../pages/index.ts';
import { compareNaturally } from '../../text/index.ts';
import type { AstroRoutes } from './astro-routes.ts';

interface Level {
  own: PageFile | null;
  readonly levels: Map<string, Level>;
}

/** Builds the navigation from addresses, as Starlight does without a configured sidebar: by name, the home page first. */
export function starlightPages(files: ReadonlyMap<RepoPath, PageFile>, routes: AstroRoutes): readonly Page[] {
  const root: Level = { own: null, levels: new Map() };
  for (const [path, file] of files) {
    const address = routes.addressOf(path) ?? '';
    let level = root;
    for (const part of address.split('/').filter(Boolean)) {
      let next = level.levels.get(part);
      if (next === undefined) {
        next = { own: null, levels: new Map() };
        level.levels.set(part, next);
      }
      level = next;
    }
    level.own ??= file;
  }
  const paths = new PagePaths();
  const home = root.own === null ? [] : [document(root.own, paths.assign(''), [])];
  return [...home, ...pagesOf(root, '', paths)];
}

function pagesOf(level: Level, parent: string, paths: PagePaths): Page[] {
  const names = [...level.levels].sort(([a], [b]) => compareNaturally(a, b) || (a < b ? -1 : 1));
  return names.map(([name, inner]) => {
    const path = paths.assign(parent === '' ? name : `${parent}/${name}`);
    const pages = pagesOf(inner, path, paths);
    return inner.own === null
      ? groupEntry(titleFromName(name), path, pages)
      : document(inner.own, path, pages);
  });
}

/** A document with the title of its front matter, which Starlight requires. */
function document(file: PageFile, path: string, pages: readonly Page[]): Page {
  const title = file.facts?.frontMatter['title'];
  return documentEntry(file, path, typeof title === 'string' ? title : null, pages);
}
