import { evaluateText, hasExpressions } from '../../content/expressions/index.ts';
import { withEmoji } from '../../content/render/index.ts';
import type { PageRow } from '../../store/index.ts';

/** The pages of a revision, in the order of the navigation. They never change. */
export interface PageIndex {
  /** The pages at the top. */
  readonly roots: readonly IndexedPage[];
  readonly byId: ReadonlyMap<string, IndexedPage>;
  /** By their paths below the space; `''` is the home page. */
  readonly byPath: ReadonlyMap<string, IndexedPage>;
  /** By their paths in the repository; of several pages that show one file, the first. */
  readonly byFile: ReadonlyMap<string, IndexedPage>;
  /** Those with a text that are not hidden, for reading one after another. */
  readonly readingOrder: readonly IndexedPage[];
  /** Of each in `readingOrder`, by its id. */
  readonly positions: ReadonlyMap<string, number>;
  readonly names: SpaceNames;
}

/** What expressions in titles and descriptions can use of the space. */
export interface SpaceNames {
  readonly title: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface IndexedPage {
  readonly row: PageRow;
  /** As it is stored; `row` has its titles and its description as readers see them. */
  readonly stored: PageRow;
  readonly parent: IndexedPage | null;
  readonly children: readonly IndexedPage[];
  /** Whether it or a page above it is left out of the navigation. */
  readonly isHidden: boolean;
}

/** `rows` are in the order of the navigation, parents before children. */
export function indexPages(rows: readonly PageRow[], names: SpaceNames): PageIndex {
  const roots: IndexedPage[] = [];
  const byId = new Map<string, IndexedPage & { readonly children: IndexedPage[] }>();
  const byPath = new Map<string, IndexedPage>();
  const byFile = new Map<string, IndexedPage>();
  const readingOrder: IndexedPage[] = [];
  for (const stored of rows) {
    const row = titledRow(withValues(stored, names));
    const parent = (row.parentId === null ? undefined : byId.get(row.parentId)) ?? null;
    const page = { row, stored, parent, children: [], isHidden: row.hidden || parent?.isHidden === true };
    byId.set(row.id, page);
    (parent?.children ?? roots).push(page);
    if (row.type === 'link') continue;
    if (row.gitPath !== null && !byFile.has(row.gitPath)) byFile.set(row.gitPath, page);
    // A group has the path of its folder; the page with a text at the same path is the one that readers mean.
    if (hasText(row) || !byPath.has(row.path)) byPath.set(row.path, page);
    if (hasText(row) && !page.isHidden) readingOrder.push(page);
  }
  return {
    roots,
    byId,
    byPath,
    byFile,
    readingOrder,
    positions: new Map(readingOrder.map(({ row }, position) => [row.id, position])),
    names,
  };
}

/** Whether a title or the description of a page has expressions; only GitBook's format has some. */
export function isComposed({ dialect, title, description, settings }: PageRow): boolean {
  // Entries without a file have no dialect.
  if (dialect !== null && !dialect.startsWith('gitbook')) return false;
  return [title, description, settings?.title].some((text) => text != null && hasExpressions(text));
}

/** What depends on the visitor stays as written: titles are the same for everybody. */
function withValues(row: PageRow, { title, variables }: SpaceNames): PageRow {
  if (!isComposed(row)) return row;
  const scope = {
    space: { vars: variables, title },
    page: { vars: row.settings?.variables ?? {}, title: row.title, path: row.path },
  };
  const valued = (text: string) => evaluateText(text, { scope, only: ['space', 'page'] });
  return {
    ...row,
    title: valued(row.title),
    description: row.description === null ? null : valued(row.description),
    settings:
      row.settings?.title === undefined
        ? row.settings
        : { ...row.settings, title: valued(row.settings.title) },
  };
}

/** Titles are plain text, in which builders that know short names of emoji write them, too. */
function titledRow(row: PageRow): PageRow {
  if (!row.title.includes(':') && row.settings?.title?.includes(':') !== true) return row;
  const title = withEmoji(row.title);
  if (row.settings?.title === undefined) return { ...row, title };
  return { ...row, title, settings: { ...row.settings, title: withEmoji(row.settings.title) } };
}

/** Whether a page is more than a heading of the navigation or a link elsewhere. */
export function hasText({ type }: Pick<PageRow, 'type'>): boolean {
  return type === 'document' || type === 'computed';
}

/** The pages above a page, from the top down. */
export function ancestorsOf(page: IndexedPage): readonly IndexedPage[] {
  const above: IndexedPage[] = [];
  for (let at = page.parent; at !== null; at = at.parent) above.unshift(at);
  return above;
}

/** A page in another space that says the same: by its id, else by its path; null where there is none with a text. */
export function samePageIn(
  { byId, byPath }: Pick<PageIndex, 'byId' | 'byPath'>,
  { row }: IndexedPage,
): IndexedPage | null {
  const same = byId.get(row.id) ?? byPath.get(row.path);
  return same !== undefined && hasText(same.row) ? same : null;
}

/** The page itself if it has a text, else the first one below it that does. */
export function firstWithText(page: IndexedPage): IndexedPage | null {
  const waiting = [page];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (hasText(at.row)) return at;
    waiting.push(...at.children.toReversed());
  }
  return null;
}
