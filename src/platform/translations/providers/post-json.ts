import type { Http } from '../../../net/http.ts';
import { parseRetryAfter } from '../../../net/retry-after.ts';
import { ProviderBusy, ProviderRefusal } from './provider.ts';

/** Where the provider names no time. */
const PAUSE_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Posts JSON to a provider and reads its answer. */
export async function postJson(
  http: Http,
  call: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly signal: AbortSignal;
    /** The setting that holds the key. */
    readonly keySetting: string;
  },
): Promise<unknown> {
  const { host } = new URL(call.url);
  const response = await http.request(call.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...call.headers },
    body: JSON.stringify(call.body),
    signal: call.signal,
    maxBytes: MAX_BYTES,
    // The job tries again, and its lane counts every request.
    retries: 0,
  });
  const { status } = response;
  if (status === 429 || status === 503) {
    const after = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    throw new ProviderBusy(
      new Date(Date.now() + Math.min(after ?? PAUSE_MS, DAY_MS)),
      `${host} answered ${status}: it asks for a pause.`,
    );
  }
  if (status === 401 || status === 403) {
    throw new ProviderRefusal(`${host} answered ${status}: check ${call.keySetting}.`);
  }
  if (status === 456 || status === 402) {
    throw new ProviderRefusal(`${host} answered ${status}: its quota is used up, so raise it and run again.`);
  }
  if (status === 400 || status === 404 || status === 422) {
    throw new ProviderRefusal(
      `${host} answered ${status}: it does not take such requests; check its address, the model and the language.`,
    );
  }
  if (status !== 200) throw new Error(`${host} answered ${status}.`);
  return response.json();
}
