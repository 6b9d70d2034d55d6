import type { RepoPath } from '../model/index.ts';
import { decodePercent } from '../text/index.ts';
import { relativePath, resolvePath } from '../tree/index.ts';

/** A link whose page, target, or both get new paths. */
export interface MovedLink {
  /** The destination as written, after unescaping. */
  readonly target: string;
  /** The page that contains it, before and after. */
  readonly file: RepoPath;
  readonly newFile: RepoPath;
  /** The file or folder that it leads to, before and after. */
  readonly path: RepoPath;
  readonly newPath: RepoPath;
  /** Whether files in the page's folder are written with `./`, for links that led out of that folder before. */
  readonly dotted?: boolean;
}

/**
 * Returns destinations for the new path in the style of the old one: relative or rooted, with or without extension, `./`
 * and the trailing slash. Likeliest first, for the caller to try: only the format knows which of them work.
 */
export function destinationsAfterMove(link: MovedLink): readonly string[] {
  return destinationsOf(link).filter((destination) => destination !== link.target);
}

/** Whether a destination is relative and without detours, so that it can be rewritten for another folder. */
export function isStraight({ target, file, path }: Pick<MovedLink, 'target' | 'file' | 'path'>): boolean {
  if (!/^(?:\.\.?\/|[^/?#])/.test(target.trim())) return false;
  const dotted = target.startsWith('./');
  return destinationsOf({ target, file, newFile: file, path, newPath: path, dotted }).includes(target);
}

function destinationsOf(link: MovedLink): readonly string[] {
  const [, written = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(link.target.trim()) ?? [];
  if (/^(?:https?:)?\/\//i.test(written))
    return destinationsFromHost(written, link).map((destination) => destination + tail);
  if (written === '' || /^[a-z][a-z\d+.-]*:/i.test(written)) return [];
  const decoded = decodePercent(written);
  const destinations = [link, ...publishedLinks(link, decoded)].flatMap((candidate) =>
    written.startsWith('/')
      ? destinationsFromRoots(decoded, candidate)
      : destinationsFromPage(decoded, candidate),
  );
  const all = destinations.map(
    (destination) => encode(matchStyle(destination, written, link.dotted), written) + tail,
  );
  return [...new Set(all)];
}

/** Links to a page's address: `.html` instead of `.md`, and `index.html` for a README. */
function publishedLinks(link: MovedLink, decoded: string): readonly MovedLink[] {
  if (!decoded.endsWith('.html') || !/\.mdx?$/.test(link.path)) return [];
  const plain = (path: RepoPath) => path.replace(/\.mdx?$/, '.html');
  const index = (path: RepoPath) => plain(path).replace(/(^|\/)README\.html$/i, '$1index.html');
  return [index, plain].map((name) => ({ ...link, path: name(link.path), newPath: name(link.newPath) }));
}

/** For an address of the site, or of the repository on its host, that ends with the path. */
function destinationsFromHost(written: string, { path, newPath }: MovedLink): readonly string[] {
  const [, host = '', rest = ''] = /^((?:https?:)?\/\/[^/]*\/)(.*)$/i.exec(written) ?? [];
  const segments = rest.split('/');
  const destinations = segments.slice(0, MAX_BASE).flatMap((_segment, at) => {
    const writtenPath = decodePercent(trimSlashes(segments.slice(at).join('/')));
    const base =
      host +
      segments
        .slice(0, at)
        .map((segment) => `${segment}/`)
        .join('');
    if (writtenPath === '') return [];
    return ['', ...foldersAbove(path).map((folder) => `${folder}/`)].flatMap((root) => {
      if (!newPath.startsWith(root)) return [];
      const stem = stemLike(writtenPath, path.slice(root.length), newPath.slice(root.length));
      return stem === null ? [] : [base + encode(matchStyle(stem, rest), written)];
    });
  });
  return [...new Set(destinations)];
}

/** The maximum number of segments before the path in an address (`owner/name/blob/branch`). */
const MAX_BASE = 8;

/** From the root of the repository, or one of the folders above the target. */
function destinationsFromRoots(decoded: string, { path, newPath }: MovedLink): string[] {
  const writtenPath = trimSlashes(decoded);
  const roots = ['', ...foldersAbove(path).map((folder) => `${folder}/`)];
  return roots.flatMap((root) => {
    if (!newPath.startsWith(root)) return [];
    const stem = stemLike(writtenPath, path.slice(root.length), newPath.slice(root.length));
    return stem === null ? [] : [`/${stem}`];
  });
}

/** From the folder of the page, or from the address at which builders show the page: a separate folder. */
function destinationsFromPage(decoded: string, { file, newFile, path, newPath }: MovedLink): string[] {
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
 * Writes the new path as the old one was written: if `written` omits the end of the path (`.md`, `/index.md`), the new
 * path omits it, too. Null when `written` is not the beginning of the path.
 */
function stemLike(written: string, path: RepoPath, newPath: RepoPath): string | null {
  if (!path.startsWith(written)) return null;
  const end = path.slice(written.length);
  if (end === '' || !(written === '' || /^[./]/.test(end))) return end === '' ? newPath : null;
  if (newPath.endsWith(end)) return newPath.slice(0, newPath.length - end.length);
  const extension = /\.\w+$/.exec(end)?.[0];
  // The page of a folder became a plain page, which is written as its name without the extension.
  return extension !== undefined && newPath.endsWith(extension)
    ? newPath.slice(0, -extension.length)
    : newPath;
}

function foldersAbove(path: RepoPath): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_segment, at) => segments.slice(0, at + 1).join('/'));
}

/** Adds the `./` and the slash that the author wrote, or would have written. */
function matchStyle(destination: string, written: string, dotted = false): string {
  let styled = destination;
  const wantsDot = written.startsWith('./') || (dotted && written.startsWith('../'));
  if (wantsDot && !styled.startsWith('.')) styled = `./${styled}`;
  if (written.endsWith('/') && !styled.endsWith('/')) styled += '/';
  return styled;
}

/** Percent-encodes what would change the meaning of a path; spaces unless the author wrote them unencoded. */
function encode(path: string, written: string): string {
  const encoded = path.replace(/[%?#]/g, encodeURIComponent);
  return written.includes(' ') ? encoded : encoded.replaceAll(' ', '%20');
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+/, '').replace(/\/$/, '');
}
