import type { Rename } from '../../content/index.ts';
import type { JudgedTree } from '../../content/move/index.ts';
import type { CheckResult, Notice } from './check-result.ts';

/** What a change takes from readers: the addresses of pages that lead nowhere after it, and how to lead on. */
export async function findLost(
  before: JudgedTree,
  after: JudgedTree,
  { renames, fails }: { readonly renames: readonly Rename[]; readonly fails: boolean },
): Promise<{ readonly notices: readonly Notice[]; readonly redirects: CheckResult['redirects'] }> {
  // Only now: it loads what reads the configurations of all formats.
  const { explainLost, findLostInSpaces } = await import('../../content/move/index.ts');
  const found = await findLostInSpaces(before, after, renames);
  return {
    notices: found
      .flatMap(({ addresses }) => addresses)
      .map((lost) => ({
        file: lost.redirect?.file ?? lost.now?.file ?? lost.file,
        line: null,
        rule: 'lost-address',
        message: explainLost(lost),
        fails,
      })),
    redirects: found.flatMap(({ addresses, edit }) => {
      const entries = addresses.flatMap(({ redirect }) => (redirect === null ? [] : [redirect]));
      return edit === null ? [] : [{ ...edit, entries }];
    }),
  };
}
