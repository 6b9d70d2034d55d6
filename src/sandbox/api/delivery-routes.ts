import { Type } from 'typebox';
import { changeApp } from '../actions/register-app.ts';
import type { DeliveryAttempt, DeliveryRecord } from '../state/records.ts';
import { deliveryHeaders } from '../webhooks/post-delivery.ts';
import { badCredentials, ForgeApiError, notFoundError } from './api-error.ts';
import { parseBody } from './parse-body.ts';
import { type Call, numberParam, ok, type PlainRoute, type RouteAnswer } from './route.ts';

interface Tried {
  readonly delivery: DeliveryRecord;
  readonly attempt: DeliveryAttempt;
}

/** Every try with its event, newest first. */
function allTries(call: Call): Tried[] {
  return call.context.webhooks.deliveries
    .flatMap((delivery) => delivery.attempts.map((attempt) => ({ delivery, attempt })))
    .sort((a, b) => b.attempt.id - a.attempt.id);
}

function triedOf(call: Call): Tried {
  const id = numberParam(call, 'delivery');
  const found = allTries(call).find(({ attempt }) => attempt.id === id);
  if (!found) throw notFoundError();
  return found;
}

function presentTry({ delivery, attempt }: Tried) {
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

function appOf(call: Call) {
  if (call.caller.kind !== 'app') throw badCredentials();
  return call.caller.app;
}

/** Pages go by cursor here, unlike in other lists: the id of the last delivery seen. */
function listDeliveries(call: Call): RouteAnswer {
  const perPage = Math.min(Math.max(Number(call.query.get('per_page') ?? 30) || 30, 1), 100);
  const cursor = call.query.get('cursor');
  if (cursor !== null && !/^\d{1,15}$/.test(cursor))
    throw new ForgeApiError(422, 'Invalid request.\n\ncursor is not valid.');
  const outcome = call.query.get('status');
  const wanted = allTries(call)
    .filter(({ attempt }) => cursor === null || attempt.id < Number(cursor))
    .filter(({ attempt }) => outcome === null || (attempt.status === 'OK') === (outcome === 'success'));
  const shown = wanted.slice(0, perPage);
  const last = shown.at(-1);
  if (!last || wanted.length <= perPage) return ok(shown.map(presentTry));
  const next = new URL(call.url);
  next.searchParams.set('cursor', String(last.attempt.id));
  return { ...ok(shown.map(presentTry)), headers: { link: `<${next.href}>; rel="next"` } };
}

function getDelivery(call: Call): RouteAnswer {
  const tried = triedOf(call);
  const app = appOf(call);
  return ok({
    ...presentTry(tried),
    url: app.webhookUrl,
    request: {
      headers: deliveryHeaders(app, tried.delivery),
      payload: JSON.parse(tried.delivery.body) as unknown,
    },
    response: { headers: tried.attempt.answer.headers, payload: tried.attempt.answer.body },
  });
}

/** https://docs.github.com/rest/apps/webhooks#update-a-webhook-configuration-for-an-app */
const HookConfig = Type.Object({
  url: Type.Optional(Type.String({ pattern: '^https?://' })),
  content_type: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ minLength: 1 })),
  insecure_ssl: Type.Optional(Type.Union([Type.String(), Type.Number()])),
});

function presentHook(webhookUrl: string): RouteAnswer {
  return ok({ content_type: 'json', insecure_ssl: '0', secret: '********', url: webhookUrl });
}

/** Deliveries are always JSON here, and TLS is not spoken: only the address and the secret can change. */
async function updateHook(call: Call): Promise<RouteAnswer> {
  const { url, secret } = parseBody(HookConfig, call.body);
  const webhookUrl = url ?? appOf(call).webhookUrl;
  await changeApp(call.context, { webhookUrl, ...(secret !== undefined && { webhookSecret: secret }) });
  return presentHook(webhookUrl);
}

export const deliveryRoutes: readonly PlainRoute[] = [
  {
    method: 'GET',
    path: '/app/hook/config',
    callers: ['app'],
    run: (call) => presentHook(appOf(call).webhookUrl),
  },
  { method: 'PATCH', path: '/app/hook/config', callers: ['app'], run: updateHook },
  { method: 'GET', path: '/app/hook/deliveries', callers: ['app'], run: listDeliveries },
  { method: 'GET', path: '/app/hook/deliveries/:delivery', callers: ['app'], run: getDelivery },
  {
    method: 'POST',
    path: '/app/hook/deliveries/:delivery/attempts',
    callers: ['app'],
    run: (call) => {
      call.context.webhooks.redeliver(triedOf(call).delivery);
      return { status: 202, body: {} };
    },
  },
];
