import { type ChangeInput, type Judged, judgeAlone, judgeChange } from '../../content/ignore/index.ts';
import type { Change, Link } from '../../content/index.ts';
import type { CheckResult } from './check-result.ts';

/** All links with what the change did to them, and those that it fixed. Without a base nothing changed. */
export function markChanges(
  input: Omit<ChangeInput, 'before'> & { readonly before: readonly Judged[] | null },
): Pick<CheckResult, 'links' | 'fixed'> {
  const { before, after, ignores } = input;
  if (before === null) {
    return { links: judgeAlone(after, ignores.head).map((link) => ({ ...link, change: null })), fixed: [] };
  }
  const judged = judgeChange({ ...input, before });
  const introduced = new Set(judged.introduced);
  const changeOf = (link: Link): Change | null => {
    if (link.status !== 'broken') return null;
    return introduced.has(link) ? 'introduced' : 'existing';
  };
  return {
    links: judged.links.map((link) => ({ ...link, change: changeOf(link) })),
    fixed: judged.fixed.map((link) => ({ ...link, change: 'fixed' })),
  };
}
