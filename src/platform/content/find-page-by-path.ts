import {
  type Db,
  findMovedPage,
  findPageAt,
  findPageOfFile,
  loadPage,
  loadSettingsByKey,
} from '../../store/index.ts';
import type { Content } from './locate-content.ts';

/** What is at a path of a space: a page, or a part of it, or an address elsewhere to which the repository redirects. */
export type FoundAtPath =
  | {
      readonly kind: 'page';
      readonly id: string;
      readonly anchor: string | null;
      /** Whether it was at this path before it moved; else it is there, or the repository redirects to it. */
      readonly hasMoved?: boolean;
    }
  | { readonly kind: 'url'; readonly url: string };

type Shown = Pick<Content, 'space' | 'revision'>;

/** Redirects that lead to redirects are followed so many times. */
const MAX_STEPS = 10;

/** Folders of a path for all of which there may be a redirect. */
const MAX_FOLDERS = 40;

/**
 * What a path of the space leads to: the page itself, the target of a redirect of the repository, or the page that was at
 * this path before it moved. Null if there is nothing.
 */
export async function findAtPath(db: Db, shown: Shown, pagePath: string): Promise<FoundAtPath | null> {
  const path = pagePath.replace(/^\/{1,100}|\/{1,100}$/g, '');
  const page = await findPageAt(db, shown.revision, path);
  if (page !== null) return { kind: 'page', id: page, anchor: null };
  const redirected = await followRedirects(db, shown, path);
  if (redirected !== null) return redirected;
  const moved = await findMovedPage(db, shown.space.id, path);
  const row = moved === null ? null : await loadPage(db, shown.revision, moved);
  return row === null ? null : { kind: 'page', id: row.id, anchor: null, hasMoved: true };
}

/** The id of the page to which a path leads; null if there is none. */
export async function findPageByPath(db: Db, shown: Shown, pagePath: string): Promise<string | null> {
  const found = await findAtPath(db, shown, pagePath);
  return found?.kind === 'page' ? found.id : null;
}

/** @param from without slashes at its ends */
async function followRedirects(db: Db, shown: Shown, from: string): Promise<FoundAtPath | null> {
  let path = from;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const target = await redirectOf(db, shown, path);
    if (target === null) return null;
    if (/^https?:/.test(target)) return { kind: 'url', url: target };
    if (!target.startsWith('/')) {
      const id = await findPageNamed(db, shown, target);
      return id === null ? null : { kind: 'page', id, anchor: null };
    }
    const [next = '', anchor = null] = target.slice(1).split('#', 2);
    const id = await findPageAt(db, shown.revision, next);
    if (id !== null) return { kind: 'page', id, anchor };
    path = next;
  }
  return null;
}

/** Where a redirect of the repository leads from a path: that of the very path goes before those of its folders. */
async function redirectOf(db: Db, { revision }: Shown, path: string): Promise<string | null> {
  const segments = path.split('/').slice(0, MAX_FOLDERS);
  const folders = segments.slice(0, -1).map((_segment, at) => segments.slice(0, at + 1).join('/'));
  const sources = [path, ...[...folders, path].toReversed().map((folder) => `${folder}/*`)];
  const rows = await loadSettingsByKey(
    db,
    revision,
    sources.map((source) => `redirect:${source}`),
  );
  const row = sources.map((source) => rows.find(({ name }) => name === source)).find(Boolean);
  if (row === undefined) return null;
  const rest = row.name === path ? '' : path.slice(row.name.length - 1);
  return row.value.replace(/(?:^|\/)\*$/, (end) => end.replace('*', rest).replace(/(?<=.)\/$/, ''));
}

/** A redirect names a page's file, with or without its extension, or a folder. */
async function findPageNamed(db: Db, { revision }: Shown, file: string): Promise<string | null> {
  for (const path of [file, `${file}.md`, file === '' ? 'README.md' : `${file}/README.md`]) {
    const page = await findPageOfFile(db, revision, path);
    if (page !== null) return page;
  }
  return null;
}
