import { isLimited } from './retry-plan.ts';

/** The HTTP status of a failed call; null when GitHub did not answer, which Octokit reports as 500, too. */
export function responseStatus(error: unknown): number | null {
  const { status, response } = error as { readonly status?: unknown; readonly response?: unknown };
  return typeof status === 'number' && response !== undefined ? status : null;
}

/** Null for a 404, by which GitHub means both "not there" and "not visible to you". */
export async function nullWhenMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (hasStatusCode(error, 404)) return null;
    throw error;
  }
}

/** Whether GitHub answered that a repository, or a commit of it, is gone or not accessible to the App. */
export function isOutOfReach(error: unknown): boolean {
  return hasStatusCode(error, 403, 404, 410, 422) && !isLimited(error);
}

/** Whether an error is a response of GitHub with one of these status codes. */
export function hasStatusCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof Error && 'status' in error && codes.includes(error.status as number);
}

/** The types of the errors in an answer of GitHub's GraphQL API, such as `NOT_FOUND` and `FORBIDDEN`. */
export function graphqlErrorTypes(error: unknown): readonly string[] {
  const { errors } = error as { readonly errors?: unknown };
  return Array.isArray(errors) ? errors.flatMap(({ type }: { type?: string }) => type ?? []) : [];
}
