import type { Binding } from '../../store/index.ts';
import { isForeign, type PullRequest } from '../api/index.ts';

/** More at once would delay the spaces' own imports. */
const MAX_PREVIEWS = 20;

/**
 * The bindings that a pull request gets previews of: those of its base branch whose directories it touches. The
 * configuration in force decides whether a fork gets any, never the fork's own. A merge group gets none.
 */
export function planPreviews(
  pull: Pick<PullRequest, 'headRef' | 'head' | 'baseBranch'>,
  setting: 'branches' | 'all' | 'off',
  bindings: readonly Binding[],
  changedPaths: ReadonlySet<string>,
): readonly Binding[] {
  if (setting === 'off' || !pull.headRef.startsWith('refs/pull/')) return [];
  if (setting === 'branches' && isForeign(pull)) return [];
  const bound = bindings.filter(
    ({ branch, spaceId, disconnected }) =>
      branch === pull.baseBranch && spaceId !== null && disconnected === null,
  );
  const touched = new Set([...changedPaths].map((path) => ownerOf(path, bound)));
  return bound.filter((binding) => touched.has(binding)).slice(0, MAX_PREVIEWS);
}

/** The binding with the deepest directory that contains a path. */
function ownerOf(path: string, bindings: readonly Binding[]): Binding | null {
  return bindings.reduce<Binding | null>((best, binding) => {
    const { directory } = binding;
    const contains = directory === '' || path.startsWith(`${directory}/`);
    return contains && directory.length >= (best?.directory.length ?? 0) ? binding : best;
  }, null);
}
