import { PlatformError } from '../../client/index.ts';
import { graphqlErrorTypes, hasStatusCode, isOutOfReach } from '../../github/index.ts';
import type { QuestionName } from './question.ts';

const WORDS = {
  issues: { permission: 'Issues', key: 'conversations.issues' },
  discussions: { permission: 'Discussions', key: 'conversations.discussions' },
} as const;

/**
 * Why GitHub does not show the App a repository's issues or discussions, in a sentence with what to do; null for errors that
 * are over by themselves.
 */
export function explainUnreadable(
  error: unknown,
  kind: QuestionName['kind'],
  fullName: string,
): string | null {
  const { permission, key } = WORDS[kind];
  const isRefused = hasStatusCode(error, 403) && isOutOfReach(error);
  if (isRefused || graphqlErrorTypes(error).includes('FORBIDDEN'))
    return `The App may not read ${kind} of ${fullName}: give it the permission “${permission}: Read-only” on GitHub and accept that for the installation, or remove \`${key}\` from the configuration.`;
  if (hasStatusCode(error, 404, 410))
    return `${fullName} has no ${kind}: turn them on in its settings on GitHub, or remove \`${key}\` from the configuration.`;
  return null;
}

/** Why the platform does not take a conversation; null for errors that are over by themselves. */
export function explainUnstored(error: unknown): string | null {
  if (!(error instanceof PlatformError) || error.status >= 500 || error.status === 429) return null;
  return `A conversation could not be stored: ${error.message}`;
}
