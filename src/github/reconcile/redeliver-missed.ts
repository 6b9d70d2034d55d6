import {
  findOldestAwaited,
  loadDeliveryStates,
  type MissedDelivery,
  recordLostDelivery,
  recordRedelivery,
} from '../../store/index.ts';
import { hasStatusCode, type Octokit, PER_PAGE } from '../api/index.ts';

import type { ReconcileDeps } from './deps.ts';

/** GitHub keeps deliveries for three days. https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/viewing-webhook-deliveries */
const KEPT_MS = 3 * 24 * 60 * 60_000;
/** 5,000 failed deliveries in one pass; the next one goes on with what is left then. */
const MAX_PAGES = 50;
const MAX_TRIES = 5;
/** So long after GitHub was asked, a redelivery may still be on its way. */
const ON_ITS_WAY_MS = 30_000;

/** Answers of ours that the same bytes would get again: they are no delivery for us. */
const REFUSED = new Set([400, 413, 415]);

type Item = Awaited<ReturnType<Octokit['rest']['apps']['listWebhookDeliveries']>>['data'][number];

/**
 * Looks for deliveries that GitHub could not bring here, and asks it to send those again whose work is not known here.
 * `since` is when the last look began; what was asked for and did not come is looked for again. Answers how many were
 * asked for.
 */
export async function redeliverMissed(
  deps: ReconcileDeps,
  since: Date | null,
  signal: AbortSignal,
): Promise<number> {
  const horizon = new Date(Date.now() - KEPT_MS);
  const awaited = await findOldestAwaited(deps.db, horizon);
  const from = Math.max(
    horizon.getTime(),
    Math.min(since?.getTime() ?? 0, awaited?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  const app = await deps.access.app({ signal });
  const failed = await listFailed(app, new Date(from), signal);
  let asked = 0;
  for (let start = 0; start < failed.length; start += PER_PAGE) {
    const items = failed.slice(start, start + PER_PAGE);
    const known = await loadDeliveryStates(
      deps.db,
      items.map(({ guid }) => guid),
    );
    // Oldest first, as they would have come.
    for (const item of items) {
      signal.throwIfAborted();
      if (await requestAgain(deps, app, item, known.get(item.guid))) asked += 1;
    }
  }
  return asked;
}

/** The failed deliveries, oldest first, each with its latest try. */
async function listFailed(app: Octokit, from: Date, signal: AbortSignal): Promise<readonly Item[]> {
  const latest = new Map<string, Item>();
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    signal.throwIfAborted();
    const { data, headers } = await app.rest.apps.listWebhookDeliveries({
      per_page: PER_PAGE,
      // Older enterprise servers do not know it, and list all.
      status: 'failure',
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const item of data) {
      const reached = item.status_code >= 200 && item.status_code < 300;
      if (!reached && Date.parse(item.delivered_at) >= from.getTime() && !latest.has(item.guid))
        latest.set(item.guid, item);
    }
    const last = data.at(-1);
    cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1];
    if (last === undefined || cursor === undefined || Date.parse(last.delivered_at) < from.getTime()) break;
  }
  return [...latest.values()].reverse();
}

async function requestAgain(
  { db, log }: ReconcileDeps,
  app: Octokit,
  item: Item,
  known: { readonly state: string; readonly redeliveries: number; readonly askedAt: Date | null } | undefined,
): Promise<boolean> {
  if (known !== undefined && known.state !== 'redelivered') return false;
  if (known?.askedAt != null && Date.now() - known.askedAt.getTime() < ON_ITS_WAY_MS) return false;
  const missed = describeMissed(item);
  if (REFUSED.has(item.status_code) || (known?.redeliveries ?? 0) >= MAX_TRIES) {
    const end = REFUSED.has(item.status_code) ? 'It was refused' : `It was asked for ${MAX_TRIES} times`;
    await recordLostDelivery(db, {
      ...missed,
      reason: `${missed.reason} ${end}; what it told of is found by comparing.`,
    });
    return false;
  }
  await recordRedelivery(db, missed);
  try {
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id: item.id });
    return true;
  } catch (error) {
    // Too old by now, or refused; the row says so, and the next pass asks again while GitHub keeps it.
    if (!hasStatusCode(error, 400, 404, 422)) throw error;
    log.warn({ err: error, delivery: item.guid }, 'GitHub did not send a delivery again');
    return false;
  }
}

function describeMissed(item: Item): MissedDelivery {
  return {
    id: item.guid,
    event: item.event,
    action: item.action,
    installationId: item.installation_id,
    repositoryId: item.repository_id,
    reason: `GitHub could not deliver it: ${item.status} (${item.status_code}).`,
  };
}
