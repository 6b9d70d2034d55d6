/** The status that GitHub answered a failed call with; null when there was no answer, which Octokit calls a 500 too. */
export function answeredStatus(error: unknown): number | null {
  const { status, response } = error as { readonly status?: unknown; readonly response?: unknown };
  return typeof status === 'number' && response !== undefined ? status : null;
}
