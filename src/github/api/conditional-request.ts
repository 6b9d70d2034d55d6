import { type Db, loadAnswer, saveAnswer } from '../../store/index.ts';
import { hasStatusCode } from './errors.ts';

/** The headers to send with the request. */
export type ConditionHeaders = Readonly<Record<string, string>>;

interface Answered {
  readonly headers: { readonly etag?: string | undefined };
}

/**
 * Reads what a conditional request answers: anew, or what it answered last when GitHub says 304, which counts for no
 * limit. `pick` takes the fields to keep, as JSON.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export async function readIfChanged<R extends Answered, T>(
  db: Db,
  key: string,
  call: (headers: ConditionHeaders) => Promise<R>,
  pick: (answer: R) => T,
): Promise<T> {
  const known = await loadAnswer(db, key);
  let answer: R;
  try {
    answer = await call(known === null ? {} : { 'if-none-match': known.etag });
  } catch (error) {
    // What is kept was made by `pick`, under this very key.
    if (known !== null && hasStatusCode(error, 304)) return known.value as T;
    throw error;
  }
  const value = pick(answer);
  const { etag } = answer.headers;
  if (etag !== undefined) await saveAnswer(db, key, etag, value);
  return value;
}
