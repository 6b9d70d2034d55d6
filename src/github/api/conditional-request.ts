import { type Db, loadAnswer, saveAnswer } from '../../store/index.ts';
import { hasStatusCode } from './errors.ts';

/** The headers to send with the request. */
export type ConditionHeaders = Readonly<Record<string, string>>;

interface CachedResponse {
  readonly headers: { readonly etag?: string | undefined };
}

/**
 * Returns the result of a conditional request, or the stored one when GitHub answers 304, which counts towards no rate
 * limit. `pick` selects the fields to store, as JSON.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export async function readIfChanged<R extends CachedResponse, T>(
  db: Db,
  key: string,
  call: (headers: ConditionHeaders) => Promise<R>,
  pick: (response: R) => T,
): Promise<T> {
  const known = await loadAnswer(db, key);
  let response: R;
  try {
    response = await call(known === null ? {} : { 'if-none-match': known.etag });
  } catch (error) {
    // The stored value was made by `pick` under the same key.
    if (known !== null && hasStatusCode(error, 304)) return known.value as T;
    throw error;
  }
  const value = pick(response);
  const { etag } = response.headers;
  if (etag !== undefined) await saveAnswer(db, key, etag, value);
  return value;
}
