import { SignInRefusal } from '../providers/sign-in-refusal.ts';

/** Why a sign-in by GitHub is refused for what came back from there, each in one sentence for the audit log. */
const reasons = {
  'not-requested': 'Nobody began this sign-in here.',
  'request-used': 'The request was answered before, or more than 10 minutes ago.',
  'other-browser': 'The answer comes from another browser than the one that began to sign in.',
  'other-user': 'Another user is signed in now than the one who began to link the account.',
  denied: 'GitHub did not sign the user in.',
  unreachable: 'GitHub could not be reached, or did not answer in time.',
  'token-refused': 'GitHub did not exchange the code; compare the client’s id, secret and callback URL.',
  malformed: 'GitHub’s answer does not describe a user.',
} as const;

export type GitHubRefusalReason = keyof typeof reasons;

/** GitHub's answer signs nobody in. The message is for administrators; people are shown less. */
export class GitHubRefusal extends SignInRefusal<GitHubRefusalReason> {
  override readonly name = 'GitHubRefusal';

  constructor(
    reason: GitHubRefusalReason,
    options?: ErrorOptions & { readonly detail?: string | undefined },
  ) {
    super(reasons, reason, options);
  }
}
