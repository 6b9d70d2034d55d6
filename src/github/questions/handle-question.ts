import type { DiscussionEvent, IssueEvent } from '../webhooks/index.ts';

/** A hint that an issue or a discussion changed. */
export interface ChangedQuestion {
  readonly repositoryId: number;
  readonly installationId: number;
  readonly question: { readonly kind: 'issues' | 'discussions'; readonly number: number };
  /** Its labels and category; null where it may have lost them, or was removed. */
  readonly marks: { readonly labels: readonly string[]; readonly category?: string } | null;
}

/** Called with each; it only enqueues jobs. */
export type OnQuestionChanged = (changed: ChangedQuestion) => Promise<void>;

/** What makes of something wanted something that is not. */
const REMOVALS: ReadonlySet<string> = new Set(['unlabeled', 'category_changed', 'deleted', 'transferred']);

export async function handleIssue(
  onChanged: OnQuestionChanged | undefined,
  { action, issue, repository, installation }: IssueEvent,
): Promise<void> {
  if (issue.pull_request !== undefined) return;
  await onChanged?.({
    repositoryId: repository.id,
    installationId: installation.id,
    question: { kind: 'issues', number: issue.number },
    marks: REMOVALS.has(action) ? null : { labels: namesOf(issue.labels) },
  });
}

export async function handleDiscussion(
  onChanged: OnQuestionChanged | undefined,
  { action, discussion, repository, installation }: DiscussionEvent,
): Promise<void> {
  const { number, labels, category } = discussion;
  await onChanged?.({
    repositoryId: repository.id,
    installationId: installation.id,
    question: { kind: 'discussions', number },
    marks: REMOVALS.has(action)
      ? null
      : { labels: namesOf(labels), ...(category && { category: category.name }) },
  });
}

function namesOf(labels: readonly { readonly name: string }[] = []): readonly string[] {
  return labels.map(({ name }) => name);
}
