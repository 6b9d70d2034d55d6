import type { Judged } from '../../content/ignore/index.ts';
import type { ReadBlobs, Rename, TreeEntry } from '../../content/index.ts';
import type { Notice } from './check-result.ts';

interface Side {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly spaces: readonly Judged[];
}

/** What a change takes from readers: the addresses of pages that lead nowhere after it. */
export async function lostNotices(
  before: Side,
  after: Side,
  { renames, fails }: { readonly renames: readonly Rename[]; readonly fails: boolean },
): Promise<readonly Notice[]> {
  const { explainLost, findLostAddresses } = await import('../../content/move/index.ts');
  const notices: Notice[] = [];
  for (const { space, analysis } of after.spaces) {
    const old = before.spaces.find((one) => one.space.directory === space.directory);
    if (old === undefined) continue;
    const lost = await findLostAddresses(
      { ...before, space: old.analysis },
      { ...after, space: analysis },
      renames,
    );
    for (const one of lost) {
      const file = one.redirect?.file ?? one.now?.file ?? one.file;
      notices.push({ file, line: null, rule: 'lost-address', message: explainLost(one), fails });
    }
  }
  return notices;
}
