import { isLimited } from './retry-plan.ts';

/** The status that GitHub answered a failed call with; null when there was no answer, which Octokit calls a 500 too. */
export function answeredStatus(error: unknown): number | null {
  const { status, response } = error as { readonly status?: unknown; readonly response?: unknown };
  return typeof status === 'number' && response !== undefined ? status : null;
}

/** Null for an answer 404, which is how GitHub says "not there" and "not for you". */
export async function nullWhenMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (hasStatusCode(error, 404)) return null;
    throw error;
  }
}

/** Whether GitHub says that a repository, or a commit of it, is gone or not for us. */
export function isOutOfReach(error: unknown): boolean {
  return hasStatusCode(error, 403, 404, 410, 422) && !isLimited(error);
}

/** Whether an error is an answer of GitHub with one of these status codes. */
export function hasStatusCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof Error && 'status' in error && codes.includes(error.status as number);
}
