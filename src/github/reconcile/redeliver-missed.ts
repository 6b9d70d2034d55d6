import {
  findOldestAwaited,
  loadDeliveryStates,
  type MissedDelivery,
  recordLostDelivery,
  recordRedelivery,
} from '../../store/index.ts';
import { hasStatusCode, type Octokit, PER_PAGE } from '../api/index.ts';

import type { ReconcileDeps } from './deps.ts';

/** GitHub retains deliveries for three days. https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/viewing-webhook-deliveries */
const RETENTION_MS = 3 * 24 * 60 * 60_000;
/** 5,000 failed deliveries in one pass; the next pass continues with the rest. */
const MAX_PAGES = 50;
const MAX_TRIES = 5;
/** How long after the request a redelivery may still arrive. */
const IN_TRANSIT_MS = 30_000;

/** Our responses that the same bytes would get again: the delivery is invalid. */
const REFUSED = new Set([400, 413, 415]);

type Item = Awaited<ReturnType<Octokit['rest']['apps']['listWebhookDeliveries']>>['data'][number];

/**
 * Finds deliveries that GitHub could not deliver, and requests a redelivery of those whose work is not known here.
 * `since` is when the last pass started; requested ones that did not arrive are included again. Returns how many were
 * requested, and the installations of all that failed.
 */
export async function redeliverMissed(
  deps: ReconcileDeps,
  since: Date | null,
  signal: AbortSignal,
): Promise<{ readonly requested: number; readonly installationIds: readonly number[] }> {
  const horizon = new Date(Date.now() - RETENTION_MS);
  const awaited = await findOldestAwaited(deps.db, horizon);
  const from = Math.max(
    horizon.getTime(),
    Math.min(since?.getTime() ?? 0, awaited?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  const app = await deps.access.app({ signal });
  const failed = await listFailed(app, new Date(from), signal);
  let requested = 0;
  for (let start = 0; start < failed.length; start += PER_PAGE) {
    const items = failed.slice(start, start + PER_PAGE);
    const known = await loadDeliveryStates(
      deps.db,
      items.map(({ guid }) => guid),
    );
    // Oldest first, as they would have arrived.
    for (const item of items) {
      signal.throwIfAborted();
      if (await requestRedelivery(deps, app, item, known.get(item.guid))) requested += 1;
    }
  }
  const installationIds = new Set(failed.flatMap(({ installation_id }) => installation_id ?? []));
  return { requested, installationIds: [...installationIds] };
}

/** The failed deliveries, oldest first, each with its latest attempt. */
async function listFailed(app: Octokit, from: Date, signal: AbortSignal): Promise<readonly Item[]> {
  const latest = new Map<string, Item>();
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    signal.throwIfAborted();
    const { data, headers } = await app.rest.apps.listWebhookDeliveries({
      per_page: PER_PAGE,
      // Older enterprise servers ignore it and list all.
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

async function requestRedelivery(
  { db, log }: ReconcileDeps,
  app: Octokit,
  item: Item,
  known:
    | { readonly state: string; readonly redeliveries: number; readonly requestedAt: Date | null }
    | undefined,
): Promise<boolean> {
  if (known !== undefined && known.state !== 'redelivered') return false;
  if (known?.requestedAt != null && Date.now() - known.requestedAt.getTime() < IN_TRANSIT_MS) return false;
  const missed = describeMissed(item);
  if (REFUSED.has(item.status_code) || (known?.redeliveries ?? 0) >= MAX_TRIES) {
    const outcome = REFUSED.has(item.status_code) ? 'It was refused' : `It was requested ${MAX_TRIES} times`;
    await recordLostDelivery(db, {
      ...missed,
      reason: `${missed.reason} ${outcome}; the comparison finds what it was about.`,
    });
    return false;
  }
  await recordRedelivery(db, missed);
  try {
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id: item.id });
    return true;
  } catch (error) {
    // Too old by now, or refused; the row has the reason, and the next pass requests it again while GitHub retains it.
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
