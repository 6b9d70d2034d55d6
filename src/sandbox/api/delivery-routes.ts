import { Type } from 'typebox';
import { changeApp } from '../actions/register-app.ts';
import type { DeliveryAttempt, DeliveryRecord } from '../state/records.ts';
import { deliveryHeaders } from '../webhooks/post-delivery.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { parseBody } from './parse-body.ts';
import { type Call, numberParam, ok, type PlainRoute, type RouteResult, requireAppCaller } from './route.ts';

interface AttemptedDelivery {
  readonly delivery: DeliveryRecord;
  readonly attempt: DeliveryAttempt;
}

/** Every attempt with its event, newest first. */
function listAttempts(call: Call): AttemptedDelivery[] {
  return call.context.webhooks.deliveries
    .flatMap((delivery) => delivery.attempts.map((attempt) => ({ delivery, attempt })))
    .sort((a, b) => b.attempt.id - a.attempt.id);
}

function findAttempt(call: Call): AttemptedDelivery {
  const id = numberParam(call, 'delivery');
  const found = listAttempts(call).find(({ attempt }) => attempt.id === id);
  if (!found) throw notFoundError();
  return found;
}

function presentAttempt({ delivery, attempt }: AttemptedDelivery) {
  return {
    id: attempt.id,
    guid: delivery.guid,
    delivered_at: attempt.at,
    redelivery: attempt.redelivery,
    duration: attempt.durationSeconds,
    status: attempt.status,
    status_code: attempt.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

/** Unlike other lists, this is paged by a cursor: the id of the last delivery on the page. */
function listDeliveries(call: Call): RouteResult {
  const perPage = Math.min(Math.max(Number(call.query.get('per_page') ?? 30) || 30, 1), 100);
  const cursor = call.query.get('cursor');
  if (cursor !== null && !/^\d{1,15}$/.test(cursor))
    throw new ForgeApiError(422, 'Invalid request.\n\ncursor is not valid.');
  const outcome = call.query.get('status');
  const matching = listAttempts(call)
    .filter(({ attempt }) => cursor === null || attempt.id < Number(cursor))
    .filter(({ attempt }) => outcome === null || (attempt.status === 'OK') === (outcome === 'success'));
  const shown = matching.slice(0, perPage);
  const last = shown.at(-1);
  if (!last || matching.length <= perPage) return ok(shown.map(presentAttempt));
  const next = new URL(call.url);
  next.searchParams.set('cursor', String(last.attempt.id));
  return { ...ok(shown.map(presentAttempt)), headers: { link: `<${next.href}>; rel="next"` } };
}

function getDelivery(call: Call): RouteResult {
  const attempted = findAttempt(call);
  const app = requireAppCaller(call);
  return ok({
    ...presentAttempt(attempted),
    url: app.webhookUrl,
    request: {
      headers: deliveryHeaders(app, attempted.delivery),
      payload: JSON.parse(attempted.delivery.body) as unknown,
    },
    response: { headers: attempted.attempt.answer.headers, payload: attempted.attempt.answer.body },
  });
}

/** https://docs.github.com/rest/apps/webhooks#update-a-webhook-configuration-for-an-app */
const HookConfig = Type.Object({
  url: Type.Optional(Type.String({ pattern: '^https?://' })),
  content_type: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ minLength: 1 })),
  insecure_ssl: Type.Optional(Type.Union([Type.String(), Type.Number()])),
});

function presentHook(webhookUrl: string): RouteResult {
  return ok({ content_type: 'json', insecure_ssl: '0', secret: '********', url: webhookUrl });
}

/** Deliveries are always JSON here, and TLS is not spoken: only the address and the secret can change. */
async function updateHook(call: Call): Promise<RouteResult> {
  const { url, secret } = parseBody(HookConfig, call.body);
  const webhookUrl = url ?? requireAppCaller(call).webhookUrl;
  await changeApp(call.context, { webhookUrl, ...(secret !== undefined && { webhookSecret: secret }) });
  return presentHook(webhookUrl);
}

export const deliveryRoutes: readonly PlainRoute[] = [
  {
    method: 'GET',
    path: '/app/hook/config',
    callers: ['app'],
    run: (call) => presentHook(requireAppCaller(call).webhookUrl),
  },
  { method: 'PATCH', path: '/app/hook/config', callers: ['app'], run: updateHook },
  { method: 'GET', path: '/app/hook/deliveries', callers: ['app'], run: listDeliveries },
  { method: 'GET', path: '/app/hook/deliveries/:delivery', callers: ['app'], run: getDelivery },
  {
    method: 'POST',
    path: '/app/hook/deliveries/:delivery/attempts',
    callers: ['app'],
    run: (call) => {
      call.context.webhooks.redeliver(findAttempt(call).delivery);
      return { status: 202, body: {} };
    },
  },
];
