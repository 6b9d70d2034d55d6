import type { ReviewCommentEvent } from '../webhooks/index.ts';

/** A hint that something was said on the lines of a pull request, changed or deleted. */
export interface DiscussedPull {
  readonly repositoryId: number;
  readonly installationId: number;
  readonly number: number;
}

/** Called with each; it only enqueues jobs. */
export type OnPullDiscussed = (pull: DiscussedPull) => Promise<void>;

export async function handleReviewComment(
  onDiscussed: OnPullDiscussed | undefined,
  { pull_request: { number }, repository, installation }: ReviewCommentEvent,
): Promise<void> {
  await onDiscussed?.({ repositoryId: repository.id, installationId: installation.id, number });
}
