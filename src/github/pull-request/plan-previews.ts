import type { Binding } from '../../store/index.ts';
import { isForeign, type PullRequest } from '../api/index.ts';

/** More at once would keep the spaces' own imports waiting. */
const MAX_PREVIEWS = 20;

/**
 * The bindings that a pull request gets previews of: those of its base branch whose directories it touches. Whether a fork
 * gets any is the configuration's word that is in force, never the fork's own. A merge group gets none.
 */
export function planPreviews(
  pull: Pick<PullRequest, 'headRef' | 'head' | 'baseBranch'>,
  wish: 'branches' | 'all' | 'off',
  bindings: readonly Binding[],
  changedPaths: ReadonlySet<string>,
): readonly Binding[] {
  if (wish === 'off' || !pull.headRef.startsWith('refs/pull/')) return [];
  if (wish === 'branches' && isForeign(pull)) return [];
  const bound = bindings.filter(
    ({ branch, spaceId, disconnected }) =>
      branch === pull.baseBranch && spaceId !== null && disconnected === null,
  );
  const touched = new Set([...changedPaths].map((path) => ownerOf(path, bound)));
  return bound.filter((one) => touched.has(one)).slice(0, MAX_PREVIEWS);
}

/** The binding with the deepest directory that holds a path. */
function ownerOf(path: string, bindings: readonly Binding[]): Binding | null {
  return bindings.reduce<Binding | null>((best, one) => {
    const holds = one.directory === '' || path.startsWith(`${one.directory}/`);
    return holds && one.directory.length >= (best?.directory.length ?? 0) ? one : best;
  }, null);
}
