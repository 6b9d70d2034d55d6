import type { Config } from '../../config/index.ts';
import type { CheckedLinkReport } from '../../content/report/index.ts';
import type { Conclusion } from '../api/index.ts';

/** Which broken links fail a pull request. */
export type FailOnSetting = Config['checks']['fail-on'];

/** What to do about addresses that a pull request removes. */
export type LostAddressesSetting = Config['checks']['lost-addresses'];

/** The conclusion of a check, and a sentence that explains it; null where no explanation is needed. */
export interface Verdict {
  readonly conclusion: Conclusion;
  readonly explanation: string | null;
}

export function conclude(
  { counts: { introduced, existing }, lost = [] }: Pick<CheckedLinkReport, 'counts' | 'lost'>,
  { failOn, lostAddresses }: { readonly failOn: FailOnSetting; readonly lostAddresses: LostAddressesSetting },
): Verdict {
  const links = concludeLinks(introduced, existing, failOn);
  if (lost.length === 0 || lostAddresses !== 'fail' || links.conclusion === 'failure') return links;
  const explanation =
    'The configuration fails a pull request for addresses that it removes (checks.lost-addresses is fail).';
  return { conclusion: 'failure', explanation };
}

function concludeLinks(introduced: number, existing: number, failOn: FailOnSetting): Verdict {
  if (failOn === 'never' && introduced > 0) {
    const explanation = 'By the configuration no broken link fails a pull request (checks.fail-on is never).';
    return { conclusion: 'neutral', explanation };
  }
  if (failOn === 'any' && introduced === 0 && existing > 0) {
    const links = existing === 1 ? 'a link that was broken' : `${existing} links that were broken`;
    const explanation = `There ${existing === 1 ? 'is' : 'are'} ${links} before, and the configuration fails a pull request for any (checks.fail-on is any).`;
    return { conclusion: 'failure', explanation };
  }
  return { conclusion: introduced > 0 ? 'failure' : 'success', explanation: null };
}
