import type { Config } from '../../config/index.ts';
import type { Report } from '../../content/report/index.ts';
import type { Conclusion } from '../api/index.ts';

/** Which broken links fail a pull request. */
export type FailOnSetting = Config['checks']['fail-on'];

/** What is done about addresses that a pull request takes away. */
export type LostAddressesSetting = Config['checks']['lost-addresses'];

/** How a check ends by what it found, and what is to be said about that; null where it goes without saying. */
export interface Verdict {
  readonly conclusion: Conclusion;
  readonly note: string | null;
}

export function conclude(
  { counts: { introduced, existing }, lost = [] }: Pick<Report, 'counts' | 'lost'>,
  { failOn, lostAddresses }: { readonly failOn: FailOnSetting; readonly lostAddresses: LostAddressesSetting },
): Verdict {
  const links = concludeLinks(introduced, existing, failOn);
  if (lost.length === 0 || lostAddresses !== 'fail' || links.conclusion === 'failure') return links;
  const note =
    'The configuration fails a pull request for addresses that it takes from readers (checks.lost-addresses is fail).';
  return { conclusion: 'failure', note };
}

function concludeLinks(introduced: number, existing: number, failOn: FailOnSetting): Verdict {
  if (failOn === 'never' && introduced > 0) {
    const note = 'The configuration lets no broken link fail a pull request (checks.fail-on is never).';
    return { conclusion: 'neutral', note };
  }
  if (failOn === 'any' && introduced === 0 && existing > 0) {
    const links = existing === 1 ? 'a link that was broken' : `${existing} links that were broken`;
    const note = `There ${existing === 1 ? 'is' : 'are'} ${links} before, and the configuration fails a pull request for any (checks.fail-on is any).`;
    return { conclusion: 'failure', note };
  }
  return { conclusion: introduced > 0 ? 'failure' : 'success', note: null };
}
