import type { Page, RepoPath } from '../../model/index.ts';
import {
  documentEntry,
  groupEntry,
  type PageFile,
  PagePaths,
  pagesFromSidebar,
  type SidebarItem,
  titleFromName,
  withLabel,
} from '../../pages/index.ts';
import { pathInside } from '../../tree/index.ts';
import { asRecord, asText } from '../untyped-values.ts';
import type { AstroRoutes } from './astro-routes.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightItem, StarlightLanguage } from './starlight-sidebar.ts';

interface Level {
  own: PageFile | null;
  /** Whether the page is that of the default language, which readers see where a translation is missing. */
  readonly isFallback?: boolean;
  readonly levels: ReadonlyMap<string, Level>;
}

interface OpenLevel extends Level {
  readonly levels: Map<string, OpenLevel>;
}

/**
 * Builds the navigation as Starlight does: from the configured sidebar, in each language, or without one from the
 * addresses.
 */
export function starlightPages(
  files: ReadonlyMap<RepoPath, PageFile>,
  routes: AstroRoutes,
  config: AstroConfig,
): readonly Page[] {
  const usual = pagesFromAddresses(files, routes);
  const sidebar = config.sidebar();
  if (sidebar === null) return usual;
  const byFolder = levelsOf(
    [...files].map(([path, file]) => [pathInside(path, config.contentFolder).replace(/\.\w+$/, ''), file]),
  );
  const known = { files, routes, byFolder, defaultFolder: config.defaultLocale };
  const all = sidebar.languages.flatMap((language): readonly SidebarItem[] => {
    if (levelAt(byFolder, language.folder) === null) return [];
    const items = itemsIn(language, sidebar.items, known);
    if (language.folder === '') return items;
    const listed = new Set(filesIn(items));
    const home = ownPageAt(known, language.folder);
    const title = language.label ?? titleFromName(language.folder);
    // What the sidebar does not list stays with its language.
    const rest = itemsOf(levelAt(byFolder, language.folder), true);
    return [{ title, file: home !== null && listed.has(home) ? null : home, items: [...items, ...rest] }];
  });
  return pagesFromSidebar(all, usual);
}

interface KnownPages {
  readonly files: ReadonlyMap<RepoPath, PageFile>;
  readonly routes: AstroRoutes;
  /** By the paths of the files. */
  readonly byFolder: Level;
  /** Of the default language; empty for none. */
  readonly defaultFolder: string;
}

/** The page at an address, but for one that stands for its missing translation. */
function ownPageAt({ routes }: KnownPages, address: string): RepoPath | null {
  const file = routes.fileAt(address);
  return file !== null && routes.addressOf(file) === address ? file : null;
}

function itemsIn(
  { folder, lang }: StarlightLanguage,
  items: readonly StarlightItem[],
  known: KnownPages,
): readonly SidebarItem[] {
  const { byFolder, defaultFolder, files, routes } = known;
  const inLanguage = (path: string) => [folder, path].filter(Boolean).join('/');
  const levelOf = (path: string): Level | null => {
    const own = levelAt(byFolder, inLanguage(path));
    if (folder === defaultFolder || path === '') return own;
    return withFallback(own, levelAt(byFolder, [defaultFolder, path].filter(Boolean).join('/')));
  };
  const pageAt = (to: string): Pick<SidebarItem, 'file' | 'leadsTo'> => {
    const [path = '', fragment = null] = to.split(/\/?#/);
    const address = inLanguage(path);
    const file = routes.fileAt(address);
    if (file === null || !files.has(file)) return {};
    return fragment === null && ownPageAt(known, address) === file
      ? { file }
      : { leadsTo: { file, fragment } };
  };
  // Of several entries for a page only the first counts.
  const folders = new Set<string>();
  const toItem = ({ label, translations, target, items: inner }: StarlightItem): SidebarItem => {
    const title = translations.get(lang) ?? label;
    const below = inner.map(toItem);
    if (target === null) return { title, items: below };
    if (target.kind === 'elsewhere') return { title, href: target.to, items: [] };
    if (target.kind === 'folder') {
      const isRepeated = folders.has(target.folder);
      folders.add(target.folder);
      return { title, items: isRepeated ? [] : itemsOf(levelOf(target.folder)) };
    }
    return { title, ...pageAt(target.to), items: [] };
  };
  return items.map(toItem);
}

function filesIn(items: readonly SidebarItem[]): RepoPath[] {
  return items.flatMap(({ file, items: inner }) => [...(file == null ? [] : [file]), ...filesIn(inner)]);
}

/** The pages of a folder as `autogenerate` lists them. */
function itemsOf(level: Level | null, withHidden = false): readonly SidebarItem[] {
  if (level === null) return [];
  const entryOf = ({ own, isFallback }: Level): Pick<SidebarItem, 'file' | 'leadsTo'> | null => {
    if (own === null || (!withHidden && isHidden(own))) return null;
    return isFallback === true ? { leadsTo: { file: own.path, fragment: null } } : { file: own.path };
  };
  const toItem = (name: string, inner: Level): SidebarItem => ({
    title: inner.own === null ? titleFromName(name) : null,
    ...entryOf(inner),
    items: sorted(inner).map(([next, below]) => toItem(next, below)),
  });
  const entry = entryOf(level);
  const own: readonly SidebarItem[] = entry === null ? [] : [{ title: null, ...entry, items: [] }];
  return [...own, ...sorted(level).map(([name, inner]) => toItem(name, inner))];
}

function levelAt(root: Level, path: string): Level | null {
  let level: Level | undefined = root;
  for (const part of path.split('/').filter(Boolean)) level = level?.levels.get(part);
  return level ?? null;
}

/** The pages of a language, with those of the default one that are not translated. */
function withFallback(own: Level | null, standard: Level | null): Level | null {
  if (standard === null) return own;
  const names = new Set([...(own?.levels.keys() ?? []), ...standard.levels.keys()]);
  const levels = new Map<string, Level>();
  for (const name of names) {
    const level = withFallback(own?.levels.get(name) ?? null, standard.levels.get(name) ?? null);
    if (level !== null) levels.set(name, level);
  }
  return own?.own == null ? { own: standard.own, isFallback: true, levels } : { own: own.own, levels };
}

/** A page named `index` is its folder's. */
function levelsOf(files: readonly (readonly [path: string, file: PageFile])[]): Level {
  const root: OpenLevel = { own: null, levels: new Map() };
  for (const [path, file] of files) {
    let level = root;
    for (const part of path
      .replace(/(?:^|\/)index$/, '')
      .split('/')
      .filter(Boolean)) {
      let next = level.levels.get(part);
      if (next === undefined) {
        next = { own: null, levels: new Map() };
        level.levels.set(part, next);
      }
      level = next;
    }
    level.own ??= file;
  }
  return root;
}

function pagesFromAddresses(files: ReadonlyMap<RepoPath, PageFile>, routes: AstroRoutes): readonly Page[] {
  const root = levelsOf([...files].map(([path, file]) => [routes.addressOf(path) ?? '', file]));
  const paths = new PagePaths();
  const home = root.own === null ? [] : [document(root.own, paths.assign(''), [])];
  return [...home, ...pagesOf(root, '', paths)];
}

function pagesOf(level: Level, parent: string, paths: PagePaths): Page[] {
  return sorted(level).map(([name, inner]) => {
    const path = paths.assign(parent === '' ? name : `${parent}/${name}`);
    const pages = pagesOf(inner, path, paths);
    return inner.own === null
      ? groupEntry(titleFromName(name), path, pages)
      : document(inner.own, path, pages);
  });
}

/** By the lowest `sidebar.order` of what they contain, then by name; what the sidebar hides is last. */
function sorted({ levels }: Level): readonly (readonly [string, Level])[] {
  return [...levels]
    .map(([name, level]) => ({ name, level, order: orderOf(level) }))
    .sort((a, b) => a.order - b.order || collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1))
    .map(({ name, level }) => [name, level]);
}

/** Starlight compares without regard to the numbers in names. */
const collator = new Intl.Collator('en');

const lowest = new WeakMap<Level, number>();

function orderOf(level: Level): number {
  let order = lowest.get(level);
  if (order === undefined) {
    order = level.own === null || isHidden(level.own) ? HIDDEN : orderOfPage(level.own);
    for (const inner of level.levels.values()) order = Math.min(order, orderOf(inner));
    lowest.set(level, order);
  }
  return order;
}

/** After all pages that have no order, whose numbers are finite so that they can be compared. */
const HIDDEN = Number.MAX_VALUE;
const NO_ORDER = Number.MAX_VALUE / 2;

function orderOfPage(file: PageFile): number {
  const order = sidebarOf(file)['order'];
  return typeof order === 'number' && Number.isFinite(order) ? Math.min(order, NO_ORDER) : NO_ORDER;
}

function isHidden(file: PageFile): boolean {
  return sidebarOf(file)['hidden'] === true;
}

function sidebarOf({ facts }: PageFile): Readonly<Record<string, unknown>> {
  return asRecord(facts?.frontMatter['sidebar']);
}

/** A document with the label for the sidebar, else the title of its front matter, which Starlight requires. */
function document(file: PageFile, path: string, pages: readonly Page[]): Page {
  const own = documentEntry(file, path, asText(file.facts?.frontMatter['title']), pages);
  return withLabel(own, asText(sidebarOf(file)['label']));
}
