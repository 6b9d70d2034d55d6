import type { RepoPath } from '../model/index.ts';
import { decodePercent } from '../text/index.ts';
import { relativePath, resolvePath } from '../tree/index.ts';

/** A link of which the page, the place that it leads to, or both get new paths. */
export interface MovedLink {
  /** The destination as written, after unescaping. */
  readonly target: string;
  /** The page that holds it, before and after. */
  readonly file: RepoPath;
  readonly newFile: RepoPath;
  /** The file or folder that it leads to, before and after. */
  readonly path: RepoPath;
  readonly newPath: RepoPath;
  /** Whether files beside the page are said with `./`, for links that led out of its folder until now. */
  readonly dotted?: boolean;
}

/**
 * Destinations that lead to the new place in the way of the old one: relative or rooted, with or without extension,
 * `./` and the slash at the end. The likeliest first, for the caller to try: whether a way of writing leads somewhere
 * is known to the builder of the docs alone.
 */
export function destinationsAfterMove(link: MovedLink): readonly string[] {
  return waysOf(link).filter((one) => one !== link.target);
}

/** Whether a destination is relative and takes no detour, so that it may be said anew where its page stands then. */
export function isStraight({ target, file, path }: Pick<MovedLink, 'target' | 'file' | 'path'>): boolean {
  if (!/^(?:\.\.?\/|[^/?#])/.test(target.trim())) return false;
  const dotted = target.startsWith('./');
  return waysOf({ target, file, newFile: file, path, newPath: path, dotted }).includes(target);
}

function waysOf(link: MovedLink): readonly string[] {
  const [, written = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(link.target.trim()) ?? [];
  if (/^(?:https?:)?\/\//i.test(written)) return waysFromHost(written, link).map((way) => way + tail);
  if (written === '' || /^[a-z][a-z\d+.-]*:/i.test(written)) return [];
  const decoded = decodePercent(written);
  const ways = [link, ...publishedLinks(link, decoded)].flatMap((one) =>
    written.startsWith('/') ? waysFromRoots(decoded, one) : waysFromPage(decoded, one),
  );
  const all = ways.map((way) => encode(dress(way, written, link.dotted), written) + tail);
  return [...new Set(all)];
}

/** A link to a page's address: `.html` in the place of `.md`, and `index.html` for a README. */
function publishedLinks(link: MovedLink, said: string): readonly MovedLink[] {
  if (!said.endsWith('.html') || !/\.mdx?$/.test(link.path)) return [];
  const plain = (path: RepoPath) => path.replace(/\.mdx?$/, '.html');
  const index = (path: RepoPath) => plain(path).replace(/(^|\/)README\.html$/i, '$1index.html');
  return [index, plain].map((name) => ({ ...link, path: name(link.path), newPath: name(link.newPath) }));
}

/** An address of the site, or of the repository on its host, that ends with what says the path. */
function waysFromHost(written: string, { path, newPath }: MovedLink): readonly string[] {
  const [, host = '', rest = ''] = /^((?:https?:)?\/\/[^/]*\/)(.*)$/i.exec(written) ?? [];
  const segments = rest.split('/');
  const ways = segments.slice(0, MAX_BASE).flatMap((_segment, at) => {
    const said = decodePercent(trimSlashes(segments.slice(at).join('/')));
    const base =
      host +
      segments
        .slice(0, at)
        .map((one) => `${one}/`)
        .join('');
    if (said === '') return [];
    return ['', ...foldersAbove(path).map((folder) => `${folder}/`)].flatMap((root) => {
      if (!newPath.startsWith(root)) return [];
      const stem = stemLike(said, path.slice(root.length), newPath.slice(root.length));
      return stem === null ? [] : [base + encode(dress(stem, rest), written)];
    });
  });
  return [...new Set(ways)];
}

/** Segments of an address that may stand before the path (`owner/name/blob/branch`). */
const MAX_BASE = 8;

/** From the root of the repository, or of one of the folders above the place. */
function waysFromRoots(decoded: string, { path, newPath }: MovedLink): string[] {
  const said = trimSlashes(decoded);
  const roots = ['', ...foldersAbove(path).map((folder) => `${folder}/`)];
  return roots.flatMap((root) => {
    if (!newPath.startsWith(root)) return [];
    const stem = stemLike(said, path.slice(root.length), newPath.slice(root.length));
    return stem === null ? [] : [`/${stem}`];
  });
}

/** From the folder of the page, or from the address at which builders show the page: a folder of its own. */
function waysFromPage(decoded: string, { file, newFile, path, newPath }: MovedLink): string[] {
  const ownFolder = (page: RepoPath) => `${page.replace(/(?:\/?(?:index|README))?\.\w+$/i, '')}/page`;
  return [
    [file, newFile],
    [ownFolder(file), ownFolder(newFile)],
  ].flatMap(([from = '', newFrom = '']) => {
    const resolved = resolvePath(from, decoded);
    if (!resolved.inside) return [];
    const stem = stemLike(resolved.path, path, newPath);
    return stem === null ? [] : [relativePath(newFrom, stem) || '.'];
  });
}

/**
 * The new path as the old one was said: where `said` left something of the end out (`.md`, `/index.md`), the new path
 * without the same end. Null when `said` is no beginning of the path.
 */
function stemLike(said: string, path: RepoPath, newPath: RepoPath): string | null {
  if (!path.startsWith(said)) return null;
  const end = path.slice(said.length);
  if (end === '' || !(said === '' || /^[./]/.test(end))) return end === '' ? newPath : null;
  if (newPath.endsWith(end)) return newPath.slice(0, newPath.length - end.length);
  const extension = /\.\w+$/.exec(end)?.[0];
  // The page of a folder became a plain page: its name without the extension says it.
  return extension !== undefined && newPath.endsWith(extension)
    ? newPath.slice(0, -extension.length)
    : newPath;
}

function foldersAbove(path: RepoPath): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_segment, at) => segments.slice(0, at + 1).join('/'));
}

/** With the `./` and the slash that the author wrote, or would have written. */
function dress(way: string, written: string, dotted = false): string {
  let said = way;
  const wantsDot = written.startsWith('./') || (dotted && written.startsWith('../'));
  if (wantsDot && !said.startsWith('.')) said = `./${said}`;
  if (written.endsWith('/') && !said.endsWith('/')) said += '/';
  return said;
}

/** Percent-encodes what would change the meaning of a path; spaces only where the author did. */
function encode(path: string, written: string): string {
  const encoded = path.replace(/[%?#]/g, encodeURIComponent);
  return written.includes(' ') ? encoded : encoded.replaceAll(' ', '%20');
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+/, '').replace(/\/$/, '');
}
