import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Queue } from '../../queue/index.ts';
import { type Database, findOutage, storeDelivery } from '../../store/index.ts';
import { deliveryJob, deliveryPayload } from './delivery-job.ts';
import { DeliveryShapeError, type ReadDelivery, readDelivery } from './read-delivery.ts';
import {
  type BodyLimits,
  BodyReceiver,
  BodyRefused,
  MAX_BODY_BYTES,
  type ReceivedBody,
} from './receive-body.ts';
import { readSignature, verifySignature } from './verify-signature.ts';

export const WEBHOOK_PATH = '/api/github/webhooks';

interface WebhookDeps {
  /** The current secret first, then older ones while a rotation lasts; none while there is no App. */
  readonly secrets: () => readonly string[];
  /** Called when none of `secrets` matches: another process may just have changed them. */
  readonly newestSecrets?: () => Promise<readonly string[]>;
  readonly db: Database;
  /** Called after each response with the event, or `none`, and the status code. */
  readonly onResponse?: (event: string, status: number) => void;
  readonly queue: Queue;
  /** What bodies may use while they are received; 64 bodies, 64 MB and 20 s when absent. */
  readonly limits?: BodyLimits;
}

/**
 * The webhook route: raw bytes → verified → stored under the delivery's id with its job, in one transaction → 202.
 * Nothing else happens before the response, so it stays fast, and no delivery that was answered with 202 can be lost.
 * Refused deliveries are not stored: 503 while there is no App or too many bodies arrive, 401 for a wrong or missing
 * signature, 408 too slow, 413 too large, 415 a form or compressed, 400 not the event's shape. Without a signature of the
 * right form the body is not read.
 */
export function registerWebhookRoute(fastify: FastifyInstance, deps: WebhookDeps): void {
  fastify.register(async (scope) => {
    const receiver = new BodyReceiver(deps.limits);
    const releases = new WeakMap<FastifyRequest, () => void>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
      const sent = {
        signature: signatureOf(request) ?? new Uint8Array(32),
        secrets: deps.secrets(),
        length: Number(request.headers['content-length'] ?? 0),
      };
      return receiver.receive(payload, sent, (release) => releases.set(request, release));
    });
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      releases.get(request)?.();
      // What is left of the body is not read.
      reply.header('connection', 'close');
      if (error instanceof BodyRefused) {
        if (error.status === 503) reply.header('retry-after', '10');
        return reply.code(error.status).send(errorBody(error.status, error.message));
      }
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return reply.code(error.statusCode).send(errorBody(error.statusCode, error.message));
      }
      request.log.error({ err: error }, 'A delivery could not be stored');
      const outage = findOutage(error);
      if (outage !== null)
        return reply.code(503).header('retry-after', '10').send(errorBody(503, outage.message));
      return reply
        .code(500)
        .send(errorBody(500, 'The delivery could not be stored; redeliver it when the server works again.'));
    });
    scope.addHook('onRequest', async (request, reply) => {
      if (signatureOf(request) !== null) return;
      await reply.code(401).header('connection', 'close').send(errorBody(401, NOT_SIGNED));
    });
    scope.addHook('onRequestAbort', async (request) => releases.get(request)?.());
    scope.addHook('onResponse', async (request, reply) => {
      releases.get(request)?.();
      // Unverified input must not name a metric's series.
      const event = headerOf(request.headers['x-github-event']) ?? '';
      const isOurs = reply.statusCode === 202 && /^[a-z_]{1,50}$/.test(event);
      deps.onResponse?.(isOurs ? event : 'none', reply.statusCode);
    });
    scope.post(WEBHOOK_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { chunks, isSigned, secrets: compared } = (request.body as ReceivedBody | undefined) ?? NO_BODY;
      if (!isSigned) {
        const secrets = (await deps.newestSecrets?.()) ?? deps.secrets();
        if (secrets.length === 0) {
          return reply
            .code(503)
            .send(errorBody(503, 'No GitHub App is set up here yet: open /setup of this server.'));
        }
        const further = secrets.filter((secret) => !compared.includes(secret));
        if (!verifySignature(chunks, signatureOf(request) ?? new Uint8Array(32), further))
          return reply.code(401).send(errorBody(401, NOT_SIGNED));
      }
      const refusal = findRefusal(request.headers);
      if (refusal !== null) return reply.code(415).send(errorBody(415, refusal));
      let read: ReadDelivery;
      try {
        read = readDelivery(
          { delivery: request.headers['x-github-delivery'], event: request.headers['x-github-event'] },
          Buffer.concat(chunks),
        );
      } catch (error) {
        if (!(error instanceof DeliveryShapeError)) throw error;
        const details =
          error.path === null ? {} : { details: [{ path: error.path, message: error.message }] };
        return reply.code(400).send({ error: { ...errorBody(400, error.message).error, ...details } });
      }
      await acceptDelivery(deps, read);
      const { id, event, action, repository, state } = read.delivery;
      request.log.info({ delivery: id, event, action, repository, state }, 'delivery accepted');
      return reply.code(202).send({ id: read.delivery.id, state: read.delivery.state });
    });
  });
}

const NOT_SIGNED = 'X-Hub-Signature-256 does not match: the webhook’s secret must be the App’s.';

const NO_BODY: ReceivedBody = { chunks: [], secrets: [], isSigned: false };

function signatureOf({ headers }: FastifyRequest): Uint8Array | null {
  return readSignature(headerOf(headers['x-hub-signature-256']));
}

/** Why a verified body is refused unread; null when it is accepted. GitHub can send forms, and never compresses. */
function findRefusal(headers: IncomingHttpHeaders): string | null {
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) {
    return 'The body is a form: set the webhook’s content type to application/json.';
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity'
    ? null
    : 'The body must not be compressed: send it without Content-Encoding.';
}

async function acceptDelivery(deps: WebhookDeps, { delivery, work }: ReadDelivery): Promise<void> {
  if (work === null) {
    await storeDelivery(deps.db, delivery);
    return;
  }
  await deps.db.transaction(async (tx) => {
    if (await storeDelivery(tx, delivery)) {
      await deps.queue.enqueue(tx, deliveryJob, deliveryPayload(delivery.id, work));
    }
  });
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function errorBody(code: number, message: string) {
  return { error: { code, message } };
}
