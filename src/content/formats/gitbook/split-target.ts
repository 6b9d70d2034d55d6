import { decodeFragment, namesSchemeOrHost } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { resolvePath } from '../../tree/index.ts';

/** The destination of a link read as a path, before it is looked up in the tree. */
export interface SplitTarget {
  /** The usual reading first; then without percent-decoding, and then with what looks like query and fragment. */
  readonly candidates: readonly [RepoPath, ...RepoPath[]];
  /** The candidates that treat query and fragment as part of the file's name. */
  readonly whole: ReadonlySet<RepoPath>;
  readonly anchor: string | null;
  readonly isRooted: boolean;
  readonly wantsFolder: boolean;
  /** Before `?` and `#`, as written. */
  readonly writtenPath: string;
  /** The query and fragment with their `?` and `#`, as written. */
  readonly writtenTail: string;
}

/**
 * Reads a destination as a path: relative to the file's folder, or with a leading slash to the content's root. Null for
 * addresses; `'outside'` for a path that leaves the repository.
 */
export function splitTarget(file: RepoPath, root: RepoPath, target: string): SplitTarget | null;
export function splitTarget(
  file: RepoPath,
  root: RepoPath,
  target: string,
  orOutside: true,
): SplitTarget | 'outside' | null;
export function splitTarget(
  file: RepoPath,
  root: RepoPath,
  target: string,
  orOutside = false,
): SplitTarget | 'outside' | null {
  const written = target.trim().replace(/[\t\n\r]/g, '');
  if (written === '' || namesSchemeOrHost(written)) return null;
  const at = written.search(/[?#]/);
  const path = at === -1 ? written : written.slice(0, at);
  const tail = at === -1 ? '' : written.slice(at);
  const hash = tail.indexOf('#');
  const anchor = hash === -1 ? null : decodeFragment(tail.slice(hash + 1));
  const isRooted = path.startsWith('/');
  const shape = { anchor, isRooted, writtenPath: path, writtenTail: tail };
  if (path === '') return { ...shape, candidates: [file], whole: new Set(), wantsFolder: false };
  const resolve = (text: string) => {
    const inside = resolvePath(file, text);
    if (!inside.inside) return null;
    const rooted = isRooted && root !== '' ? `${root}/${inside.path}`.replace(/\/$/, '') : inside.path;
    return { path: rooted, wantsFolder: inside.endsWithSlash };
  };
  const first = resolve(decodePercent(path));
  const whole = tail === '' ? [] : [resolve(decodePercent(written))?.path, resolve(written)?.path];
  const raw = path.includes('%') ? resolve(path)?.path : undefined;
  const alternatives = [raw, ...whole].filter((candidate) => candidate !== undefined);
  if (first === null) return orOutside ? 'outside' : null;
  return {
    ...shape,
    candidates: [first.path, ...alternatives.filter((candidate) => candidate !== first.path)],
    whole: new Set(
      whole.filter(
        (candidate) => candidate !== undefined && candidate !== first.path && candidate !== raw,
      ) as RepoPath[],
    ),
    wantsFolder: first.wantsFolder,
  };
}
