/** Errors of our own rooms whose message is a sentence for people, known by name so that no room is imported for it. */
const FOR_PEOPLE = new Set([
  'GitError',
  'PlatformError',
  'SyncError',
  'AddressRefusedError',
  'FetchError',
  'ExhaustedError',
  'SpaceRefusedError',
  'Postponed',
  'PermanentFailure',
]);

const LENGTH = 500;

/**
 * Describes an error in one sentence for people, without secrets. Probot wraps what a handler throws into an
 * AggregateError, so the first cause counts.
 */
export function explainError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return explainError(error.errors[0]);
  if (!(error instanceof Error)) return 'Docloom had an internal error; its log has more.';
  if (FOR_PEOPLE.has(error.name)) return firstLine(error.message);
  if (error.name === 'AbortError') return 'The work was interrupted; it continues after the restart.';
  if ('status' in error && typeof error.status === 'number' && 'request' in error) {
    const { method, path } = readRequest(error.request);
    return firstLine(`GitHub answered ${error.status} to ${method} ${path}: ${error.message}`);
  }
  return 'Docloom had an internal error; its log has more.';
}

function readRequest(request: unknown): { method: string; path: string } {
  const { method, url } = (request ?? {}) as { method?: unknown; url?: unknown };
  const path = typeof url === 'string' && URL.canParse(url) ? new URL(url).pathname : '';
  return { method: typeof method === 'string' ? method : 'a call', path };
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, LENGTH);
}
