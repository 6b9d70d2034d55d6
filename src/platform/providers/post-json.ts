import { type Http, parseRetryAfter } from '../../net/index.ts';
import { ProviderBusy, ProviderFailure, ProviderRefusal, RequestTooLarge } from './provider-errors.ts';

/** In bytes, where the caller names no other limit. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A run fails rather than wait for a provider that requests a longer pause. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/** The most of a provider's error message that is shown, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 200;

/** The meaning of providers' statuses; 456 and 529 are DeepL's (https://developers.deepl.com/docs/best-practices/error-handling). */
const PAUSES: ReadonlySet<number> = new Set([429, 503, 529]);
const TOO_LARGE: ReadonlySet<number> = new Set([413, 414]);
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'it does not accept such requests; check its address, the model and the language',
  402: 'its quota is used up, so raise it and run again',
  404: 'it does not accept such requests; check its address, the model and the language',
  422: 'it does not accept such requests; check its address, the model and the language',
  456: 'its quota is used up, so raise it and run again',
};

/**
 * Posts JSON to a translation service or a language model, once, and reads its answer.
 *
 * @throws {ProviderRefusal} if a retry would not help
 * @throws {ProviderBusy} if the provider requested a pause
 * @throws {RequestTooLarge} if it would accept fewer or shorter texts
 * @throws {ProviderFailure} if it answered with an error that may pass
 * @throws {FetchError} if it gave no answer, or one that is no JSON
 */
export async function postJson(
  http: Http,
  call: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly signal: AbortSignal;
    /** The setting with the key, and its value, which is removed from the provider's messages. */
    readonly keySetting: string;
    readonly key: string | null;
    /** Matches the message of a 400 that means a request with too many or too long texts. */
    readonly tooLargeMessage?: RegExp;
    /** The largest accepted answer, in bytes. Default 4 MiB. */
    readonly maxBytes?: number;
  },
): Promise<unknown> {
  const { host } = new URL(call.url);
  const response = await http.request(call.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...call.headers },
    body: JSON.stringify(call.body),
    signal: call.signal,
    maxBytes: call.maxBytes ?? MAX_BYTES,
    // The job is retried, and its rate limit counts every request.
    retries: 0,
  });
  const { status } = response;
  if (status === 200) return response.json();
  const message = readErrorText(response.text(), call.key);
  const description = `${host} answered ${status}${message === '' ? '' : ` (${message})`}`;
  if (PAUSES.has(status)) {
    const after = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    if (after !== null && after > LONGEST_PAUSE_MS) {
      const hours = Math.ceil(after / LONGEST_PAUSE_MS);
      throw new ProviderRefusal(
        `${description}: it requests a pause of ${hours} hours, so run the translation again after that.`,
      );
    }
    throw new ProviderBusy(after, `${description}: it requests a pause.`);
  }
  if (TOO_LARGE.has(status) || (status === 400 && call.tooLargeMessage?.test(message)))
    throw new RequestTooLarge(`${description}: the request is too large for it.`);
  if (status === 401 || status === 403)
    throw new ProviderRefusal(`${description}: check ${call.keySetting}.`);
  const refusal = REFUSALS[status];
  throw refusal === undefined
    ? new ProviderFailure(`${description}.`)
    : new ProviderRefusal(`${description}: ${refusal}.`);
}

/** A provider's error message, in one line: `{message}`, `{error}` or `{error: {message}}`. */
function readErrorText(text: string, key: string | null): string {
  let description: unknown;
  try {
    const { message, error } = (JSON.parse(text) ?? {}) as { message?: unknown; error?: unknown };
    description = message ?? (error as { message?: unknown } | undefined)?.message ?? error;
  } catch {
    // An HTML page is not shown.
  }
  if (typeof description !== 'string') return '';
  const safe = key === null || key === '' ? description : description.replaceAll(key, '…');
  const line = safe
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}
