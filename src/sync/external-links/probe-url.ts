import {
  AddressRefusedError,
  describeUrl,
  FetchError,
  type Http,
  type HttpResponse,
  parseRetryAfter,
} from '../../net/index.ts';
import { findFragments } from './find-fragments.ts';
import type { ProbeFinding } from './update-link-state.ts';

/** One request of probing an address. */
export interface ProbeStep {
  /** The address to request now: the one that pages link to, or a redirect's target. */
  readonly at: string;
  readonly method: 'HEAD' | 'GET';
  /** Redirects that were followed so far. */
  readonly hops: number;
  /** Whether all of them were permanent. */
  readonly isPermanent: boolean;
}

export type ProbeResult =
  | { readonly kind: 'found'; readonly finding: ProbeFinding }
  | { readonly kind: 'step'; readonly step: ProbeStep }
  /** The host accepts no requests before this moment. */
  | { readonly kind: 'busy'; readonly until: Date };

const MAX_HOPS = 10;
const MAX_BYTES = 5 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
/** Responses that programs get where browsers may not: these decide nothing. 999 is LinkedIn's. */
const RESTRICTED: ReadonlySet<number> = new Set([401, 402, 403, 407, 429, 451, 999]);

/** Requests an address once. Does not follow redirects: each request waits for its own host's rate limit. */
export async function probeUrl(
  http: Http,
  step: ProbeStep,
  fragments: readonly string[],
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<ProbeResult> {
  let response: HttpResponse;
  try {
    response = await http.request(step.at, {
      method: step.method,
      headers: { accept: 'text/html,*/*;q=0.8' },
      maxBytes: MAX_BYTES,
      retries: 0,
      signal,
    });
  } catch (error) {
    return describeFailure(error, step);
  }
  const { status, headers } = response;
  if (REDIRECTS.has(status)) return followRedirect(step, response);
  if (status === 429 || status === 503) {
    const wait = parseRetryAfter(headers.get('retry-after'), now.getTime());
    if (wait !== null && wait > 0) return { kind: 'busy', until: new Date(now.getTime() + wait) };
  }
  if (step.method === 'HEAD' && (status >= 400 || wantsPage(response, fragments))) {
    return { kind: 'step', step: { ...step, method: 'GET' } };
  }
  if (RESTRICTED.has(status)) return found({ kind: 'restricted', status });
  if (status >= 400 || status < 200) {
    return found({ kind: 'bad', status, reason: `${describeUrl(response.url)} answers ${status}.` });
  }
  return found({
    kind: 'good',
    status,
    movedTo: step.hops > 0 && step.isPermanent ? step.at : null,
    fragments: step.method === 'GET' ? findFragments(response, fragments) : {},
  });
}

function found(finding: ProbeFinding): ProbeResult {
  return { kind: 'found', finding };
}

function wantsPage({ headers }: HttpResponse, fragments: readonly string[]): boolean {
  return fragments.length > 0 && /^text\/html\b/i.test(headers.get('content-type') ?? '');
}

function followRedirect(step: ProbeStep, { status, headers, url }: HttpResponse): ProbeResult {
  const location = headers.get('location');
  const next = location === null ? null : URL.parse(location, url.href);
  const from = describeUrl(url);
  if (!next || !/^https?:$/.test(next.protocol)) {
    return found({
      kind: 'bad',
      status,
      reason: `${from} redirects to something that is not a web address.`,
    });
  }
  if (step.hops >= MAX_HOPS) {
    return found({ kind: 'bad', status, reason: `It redirects more than ${MAX_HOPS} times.` });
  }
  next.hash = '';
  next.username = '';
  next.password = '';
  const isPermanent = step.isPermanent && PERMANENT.has(status);
  return {
    kind: 'step',
    step: { at: next.href, method: step.method, hops: step.hops + 1, isPermanent },
  };
}

function describeFailure(error: unknown, step: ProbeStep): ProbeResult {
  if (error instanceof AddressRefusedError) {
    // An unresolved name may resolve tomorrow; an address that is refused here says nothing about the link.
    return found(
      error.reason === 'unresolved'
        ? { kind: 'bad', status: null, reason: `${new URL(step.at).host} has no address.` }
        : { kind: 'restricted', status: 0 },
    );
  }
  if (!(error instanceof FetchError)) throw error;
  // A page that is too large to read exists.
  if (error.code === 'too-large') {
    const movedTo = step.hops > 0 && step.isPermanent ? step.at : null;
    return found({ kind: 'good', status: 200, movedTo, fragments: {} });
  }
  if (step.method === 'HEAD') return { kind: 'step', step: { ...step, method: 'GET' } };
  return found({ kind: 'bad', status: null, reason: error.message });
}
