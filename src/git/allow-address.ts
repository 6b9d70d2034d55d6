import { GitError, type RemoteAddress, type RemoteGuard } from './repository.ts';

/** Asks the guard, and says its refusal in the words of this room. */
export async function allowAddress(guard: RemoteGuard, url: URL): Promise<RemoteAddress> {
  try {
    return await guard(url);
  } catch (cause) {
    const { message, reason } = cause as Error & { reason?: unknown };
    // A name that is not found is no refusal: it may be found later.
    throw new GitError(reason === 'unresolved' ? 'host-unreachable' : 'address-refused', message, { cause });
  }
}
