/** How many of one kind, label or category are listed: the most recently changed ones. */
export const MAX_LISTED = 2_000;

/** What a repository has of one kind. */
export interface ListedQuestions {
  /** When each changed last, by its number. */
  readonly changedAt: ReadonlyMap<number, Date>;
  /** Whether there are no more. */
  readonly isComplete: boolean;
}
