import { compareTrees, explainUnjudged, type TreesToCompare } from '../../content/compare/index.ts';
import {
  type AnalysedSpace,
  type Change,
  detectRenames,
  type Engine,
  type Link,
  type Rename,
  type UnjudgedLinks,
} from '../../content/index.ts';
import { explainLost, type LostInSpace } from '../../content/move/index.ts';
import type { BaseTree } from './base-tree.ts';
import type { CheckNotice, CheckResult } from './check-result.ts';

export interface BaseComparison extends Pick<CheckResult, 'links' | 'fixed' | 'redirects'> {
  /** The spaces of the work tree. */
  readonly spaces: readonly AnalysedSpace[];
  /** The addresses that the change removes, and how many links could not be checked. */
  readonly notices: readonly CheckNotice[];
}

/** Compares the work tree with the base: all links with what the change did to them, and those that it fixed. */
export async function compareWithBase(
  engine: Engine,
  { renames }: BaseTree,
  trees: Omit<TreesToCompare, 'renames'>,
  options: { readonly lostAddressesFail: boolean },
) {
  const compared = await compareTrees(engine, {
    ...trees,
    renames: mergeRenames(renames, detectRenames(trees.base.tree, trees.head.tree)),
  });
  const introduced = new Set(compared.introduced);
  const changeOf = (link: Link): Change | null => {
    if (link.status !== 'broken') return null;
    return introduced.has(link) ? 'introduced' : 'existing';
  };
  const comparison: BaseComparison = {
    spaces: compared.head,
    links: compared.links.map((link) => ({ ...link, change: changeOf(link) })),
    fixed: compared.fixed.map((link) => ({ ...link, change: 'fixed' })),
    notices: [
      ...compared.lost.flatMap((lost) => describeLost(lost, options.lostAddressesFail)),
      ...describeUnjudged(compared.unjudged),
    ],
    redirects: compared.lost.flatMap(({ addresses, edit }) => {
      const entries = addresses.flatMap(({ redirect }) => (redirect === null ? [] : [redirect]));
      return edit === null ? [] : [{ ...edit, entries }];
    }),
  };
  return { comparison, ignores: compared.ignores };
}

function describeLost({ addresses }: LostInSpace, fails: boolean): readonly CheckNotice[] {
  return addresses.map((lost) => ({
    file: lost.redirect?.file ?? lost.now?.file ?? lost.file,
    line: null,
    rule: 'lost-address',
    message: explainLost(lost),
    fails,
  }));
}

function describeUnjudged({ count, example }: UnjudgedLinks): readonly CheckNotice[] {
  if (example === null) return [];
  const message = explainUnjudged({ count, example });
  return [{ file: example.file, line: example.line, rule: 'unjudged-links', message }];
}

/** Git's renames, and those by equal bytes that its index does not know yet. */
function mergeRenames(fromGit: readonly Rename[], exact: readonly Rename[]): readonly Rename[] {
  const known = new Set(fromGit.flatMap(({ from, to }) => [`from ${from}`, `to ${to}`]));
  const more = exact.filter(({ from, to }) => !known.has(`from ${from}`) && !known.has(`to ${to}`));
  return [...fromGit, ...more];
}
