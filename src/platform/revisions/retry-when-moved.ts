import { ApiError } from '../api/api-error.ts';
import { ContentMoved } from './write-revision.ts';

/** Few attempts suffice, because each starts from the current content; only a stream of other writers defeats them. */
const MAX_ATTEMPTS = 5;

/** Runs again if another writer was first; throws a 409 after the last attempt. */
export async function retryWhenMoved<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ContentMoved)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ApiError(
          'content-moved',
          'The same content was changed meanwhile by other requests; read it again and try again.',
        );
      }
    }
  }
}
