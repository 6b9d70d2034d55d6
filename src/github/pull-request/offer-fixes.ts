import type { CheckedLinkReport } from '../../content/report/index.ts';
import { firstOfEachFile } from '../../content/text/index.ts';
import type { RunAction } from '../../store/index.ts';
import {
  type GrantedPermissions,
  type Octokit,
  type PullRequest,
  readGrantedPermissions,
} from '../api/index.ts';

/** The fix that the button of a check run offers. */
export interface FixOffer {
  /** Commit the suggestions to the branch, or where the App may not, suggest them in a review. */
  readonly kind: 'commit' | 'suggest';
  /** How many broken links have a suggestion. */
  readonly count: number;
  /** How many redirects can be written for removed addresses; a review cannot contain them. */
  readonly redirects: number;
  readonly branch: string;
}

/** The permissions that the App needs to commit. */
export const WRITING: GrantedPermissions = { contents: 'write' };

/** The identifiers of the buttons; the event of a press has one. */
export const FIX_ACTIONS = { commit: 'fix-links', suggest: 'suggest-fixes' } as const;

/** The fix to offer for a report; null when no suggestion is certain, or the App may do neither. */
export async function offerFixes(
  octokit: Octokit,
  pull: PullRequest,
  report: CheckedLinkReport,
): Promise<FixOffer | null> {
  const count = report.introduced.filter(({ suggestion }) => suggestion !== null).length;
  const writable = countRedirects(report);
  // Most pull requests leave nothing to fix, and reading the App's permissions can cost a call.
  if (count + writable === 0 || pull.head === null) return null;
  const kind = chooseFixKind(await readGrantedPermissions(octokit, WRITING), pull);
  const redirects = kind === 'commit' ? writable : 0;
  return kind === null || count + redirects === 0
    ? null
    : { kind, count, redirects, branch: pull.head.branch };
}

function countRedirects({ redirects = [] }: CheckedLinkReport): number {
  return firstOfEachFile(redirects)
    .values()
    .reduce((sum, { count }) => sum + count, 0);
}

/** The way in which the App may offer fixes to the author of a pull request; null when it may not. */
export function chooseFixKind(granted: GrantedPermissions, { head }: PullRequest): FixOffer['kind'] | null {
  if (head?.isWritable && granted['contents'] === 'write') return 'commit';
  return granted['pull_requests'] === 'write' ? 'suggest' : null;
}

/** GitHub accepts 20, 40 and 20 characters. https://docs.github.com/rest/checks/runs */
export function actionOf(offer: FixOffer): RunAction {
  if (offer.count === 0) {
    return {
      label: 'Write redirects',
      description: 'Commits them for removed addresses',
      identifier: FIX_ACTIONS.commit,
    };
  }
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
