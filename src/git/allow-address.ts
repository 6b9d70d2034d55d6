import { GitError, type RemoteAddress, type RemoteGuard } from './repository.ts';

/** Calls the guard and turns its refusal into a GitError. */
export async function allowAddress(guard: RemoteGuard, url: URL): Promise<RemoteAddress> {
  try {
    return await guard(url);
  } catch (cause) {
    const { message, reason } = cause as Error & { reason?: unknown };
    // An unresolved name is not a refusal: it may resolve later.
    throw new GitError(reason === 'unresolved' ? 'host-unreachable' : 'address-refused', message, { cause });
  }
}
