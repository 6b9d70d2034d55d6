import { type OutsideAddress, readAddress } from '../../content/links/index.ts';
import { createAddressGuard, createHttp, type Http } from '../../net/index.ts';
import { type CallQueue, openCallQueues } from '../../queue/index.ts';
import type { ExternalLink } from '../../store/index.ts';
import { type ProbeStep, probeUrl, updateLinkState } from '../../sync/index.ts';
import type { CheckedLink, CheckResult } from '../check/check-result.ts';
import { number } from '../check/print/report.ts';
import type { CommandIo } from '../command.ts';
import { docloomVersion } from '../version.ts';

/** Further addresses are not checked, which is reported. */
const MAX_ADDRESSES = 5_000;
const AT_ONCE = 32;
const PER_HOST = { concurrency: 2, waiting: MAX_ADDRESSES };
/** Twice the rate of a server, which checks in the background. */
const HOST_RATE = { concurrency: 2, rate: { count: 2, ms: 1_000 } };
/** A host that requires a longer pause is not checked. */
const MAX_PAUSE_MS = 30_000;
const MAX_PAUSES = 2;
const TIMEOUTS = { connectMs: 10_000, headersMs: 20_000, totalMs: 60_000 };

interface Address {
  readonly url: string;
  readonly fragments: Set<string>;
}

/** Requests the external addresses that links lead to, once each, and adds the findings to the links. */
export async function checkExternalLinks(
  result: CheckResult,
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
  onProgress: (words: string) => void,
): Promise<CheckResult> {
  const addresses = new Map<string, Address>();
  for (const link of result.links) {
    const external = addressOf(link);
    if (external === null) continue;
    const known = addresses.get(external.url) ?? { url: external.url, fragments: new Set() };
    if (external.fragment !== '') known.fragments.add(external.fragment);
    addresses.set(external.url, known);
  }
  const requested = [...addresses.values()].slice(0, MAX_ADDRESSES);
  const found = await probeAll(requested, { env, signal }, onProgress);
  if (reachesNothing(found)) {
    const hosts = number(hostsOf(found).size, 'host');
    const message = `None of the ${hosts} of other sites could be reached, so no address was checked: this machine seems to have no connection to the network.`;
    const offline = { file: '.', line: null, rule: 'outside-failing', message };
    return { ...result, notices: [...result.notices, offline] };
  }
  const more = addresses.size - requested.length;
  const tooMany = {
    file: '.',
    line: null,
    rule: 'outside-failing',
    message: `Only the first ${MAX_ADDRESSES} addresses of other sites were checked; ${more} were not.`,
  };
  return {
    ...result,
    links: result.links.map((link) => withVerdict(link, found)),
    notices: more > 0 ? [...result.notices, tooMany] : result.notices,
  };
}

/** Whether no site gave any response, of several: that is rather this machine's network than theirs. */
function reachesNothing(found: ReadonlyMap<string, ExternalLink>): boolean {
  const all = [...found.values()];
  return hostsOf(found).size > 1 && all.every(({ state, status }) => state === 'failing' && status === null);
}

function hostsOf(found: ReadonlyMap<string, ExternalLink>): ReadonlySet<string> {
  return new Set([...found.keys()].map((url) => new URL(url).host));
}

function addressOf({ status, target }: CheckedLink): OutsideAddress | null {
  return status === 'unchecked' ? readAddress(target) : null;
}

async function probeAll(
  addresses: readonly Address[],
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
  onProgress: (words: string) => void,
): Promise<ReadonlyMap<string, ExternalLink>> {
  const allowHosts = (env['ALLOWED_HOSTS'] ?? '').split(/[\s,]+/).filter((host) => host !== '');
  const http = createHttp({
    userAgent: `docloom/${docloomVersion()}`,
    guard: createAddressGuard({ allowHosts, allowHttp: true }),
    timeouts: TIMEOUTS,
  });
  const callQueues = openCallQueues();
  const all = callQueues.queue('all', { concurrency: AT_ONCE, waiting: MAX_ADDRESSES });
  const queuesOf = (at: string) => {
    const { host } = new URL(at);
    return {
      host: callQueues.queue(`host:${host}`, PER_HOST),
      rate: callQueues.queue(`rate:${host}`, HOST_RATE),
    };
  };
  const found = new Map<string, ExternalLink>();
  try {
    let done = 0;
    await Promise.all(
      addresses.map(async (address) => {
        found.set(address.url, await probe(address, { http, all, queuesOf, signal }));
        done += 1;
        onProgress(`Checking other sites: ${done} of ${addresses.length} addresses`);
      }),
    );
    return found;
  } finally {
    callQueues.close();
    await http.close();
  }
}

interface ProbeDeps {
  readonly http: Http;
  /** Limits the total concurrency. */
  readonly all: CallQueue;
  readonly queuesOf: (at: string) => {
    /** Limits how many calls of a host compete with those of others, so that it does not take all turns. */
    readonly host: CallQueue;
    /** Counts the calls that really start, which may be long after their turn among those of the host. */
    readonly rate: CallQueue;
  };
  readonly signal: AbortSignal;
}

async function probe(
  { url, fragments }: Address,
  { http, all, queuesOf, signal }: ProbeDeps,
): Promise<ExternalLink> {
  let step: ProbeStep = { at: url, method: 'HEAD', hops: 0, isPermanent: true };
  for (let pauses = 0; ; ) {
    const { host, rate } = queuesOf(step.at);
    const probe = () => probeUrl(http, step, [...fragments], { now: new Date(), signal });
    const outcome = await host.run(() => all.run(() => rate.run(probe, { signal }), { signal }), { signal });
    if (outcome.kind === 'found') return updateLinkState(nothingKnown(url), outcome.finding, new Date());
    if (outcome.kind === 'step') {
      step = outcome.step;
      continue;
    }
    pauses += 1;
    if (pauses > MAX_PAUSES || outcome.until.getTime() - Date.now() > MAX_PAUSE_MS) {
      return updateLinkState(nothingKnown(url), { kind: 'restricted', status: 429 }, new Date());
    }
    host.pauseUntil(outcome.until);
  }
}

function nothingKnown(url: string): ExternalLink {
  return {
    url,
    state: 'new',
    detail: null,
    status: null,
    target: null,
    since: new Date(),
    checkedAt: null,
    failures: 0,
    failedSince: null,
    fragments: {},
  };
}

/** A single probe without history never says more than that an address fails now. */
function withVerdict(link: CheckedLink, found: ReadonlyMap<string, ExternalLink>): CheckedLink {
  const external = addressOf(link);
  const known = external === null ? undefined : found.get(external.url);
  if (external === null || known === undefined) return link;
  const warn = (rule: string, message: string) => ({ ...link, message, warning: { rule, message } });
  const { state, detail, fragments } = known;
  if (state === 'failing') return warn('outside-failing', detail ?? 'It does not answer.');
  if (external.fragment !== '' && fragments[external.fragment] === false)
    return warn('outside-part', `The page is there, and has no #${external.fragment}.`);
  if (state === 'redirected') return warn('outside-moved', detail ?? 'It moved for good.');
  return state === 'restricted' ? { ...link, message: detail } : { ...link, message: 'It answers.' };
}
