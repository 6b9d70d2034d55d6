import { ApiError } from '../api/api-error.ts';
import { ContentMoved } from './write-revision.ts';

/** Few runs suffice, because each starts from the current content; only a stream of other writers defeats them. */
const MAX_RUNS = 5;

/** Runs again when another writer came first. */
export async function retryWhenMoved<T>(run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ContentMoved)) throw error;
      if (runs === MAX_RUNS) {
        throw new ApiError(
          'content-moved',
          'Others changed the same content meanwhile; read it again and try again.',
        );
      }
    }
  }
}
