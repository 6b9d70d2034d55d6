import type { Rename } from '../../content/index.ts';
import type { JudgedTree } from '../../content/move/index.ts';
import type { Notice } from './check-result.ts';

/** What a change takes from readers: the addresses of pages that lead nowhere after it. */
export async function lostNotices(
  before: JudgedTree,
  after: JudgedTree,
  { renames, fails }: { readonly renames: readonly Rename[]; readonly fails: boolean },
): Promise<readonly Notice[]> {
  // Only now: it loads what reads the configurations of all formats.
  const { explainLost, findLostInSpaces } = await import('../../content/move/index.ts');
  return (await findLostInSpaces(before, after, renames)).map(({ lost }) => ({
    file: lost.redirect?.file ?? lost.now?.file ?? lost.file,
    line: null,
    rule: 'lost-address',
    message: explainLost(lost),
    fails,
  }));
}
