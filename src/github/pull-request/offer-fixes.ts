import type { Report } from '../../content/report.ts';
import type { RunAction } from '../../store/report-runs.ts';
import { type Granted, grantedTo } from '../granted-to.ts';
import type { Octokit } from '../octokit.ts';
import type { PullRequest } from './read-pull-request.ts';

/** What the button of a check run does. */
export interface FixOffer {
  /** Commit the suggestions to the branch, or where the App may not, suggest them in a review. */
  readonly kind: 'commit' | 'suggest';
  /** How many broken links have a suggestion. */
  readonly count: number;
  readonly branch: string;
}

/** The button's names for us; the event that tells of its pressing carries one. */
export const FIX_ACTIONS = { commit: 'fix-links', suggest: 'suggest-fixes' } as const;

/** What is offered for a report; null where no suggestion is certain, or the App may do neither. */
export async function offerFixes(
  octokit: Octokit,
  pull: PullRequest,
  report: Report,
): Promise<FixOffer | null> {
  const count = report.introduced.filter(({ suggestion }) => suggestion !== null).length;
  if (count === 0 || pull.head === null) return null;
  const kind = chooseWay(await grantedTo(octokit), pull);
  return kind === null ? null : { kind, count, branch: pull.head.branch };
}

/** How fixes come to the author of a pull request; null for none. */
export function chooseWay(granted: Granted, { head }: PullRequest): FixOffer['kind'] | null {
  if (head?.isOpen && granted['contents'] === 'write') return 'commit';
  return granted['pull_requests'] === 'write' ? 'suggest' : null;
}

/** GitHub takes 20, 40 and 20 characters. https://docs.github.com/rest/checks/runs */
export function actionOf(offer: FixOffer): RunAction {
  return offer.kind === 'commit'
    ? {
        label: 'Fix links',
        description: 'Commits the certain suggestions',
        identifier: FIX_ACTIONS.commit,
      }
    : {
        label: 'Suggest fixes',
        description: 'Suggests what is certain in a review',
        identifier: FIX_ACTIONS.suggest,
      };
}
