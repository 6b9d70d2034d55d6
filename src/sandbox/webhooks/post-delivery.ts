import { createHmac } from 'node:crypto';
import type { ActiveApp, DeliveryAttempt, DeliveryRecord } from '../state/records.ts';

/** https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks: a server must respond within 10 seconds. */
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4096;

export type PostResult = Pick<DeliveryAttempt, 'statusCode' | 'status' | 'durationSeconds' | 'answer'>;

/** The headers of a delivery; the signature is over the exact bytes of the body. */
export function deliveryHeaders(app: ActiveApp, delivery: DeliveryRecord): Record<string, string> {
  const hmac = (algorithm: string): string =>
    `${algorithm}=${createHmac(algorithm, app.webhookSecret).update(delivery.body).digest('hex')}`;
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/docloom-sandbox',
    'x-github-delivery': delivery.guid,
    'x-github-event': delivery.event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': hmac('sha1'),
    'x-hub-signature-256': hmac('sha256'),
  };
}

/** Sends a delivery. An unreachable host is a result, too; null only when the forge is stopping. */
export async function postDelivery(
  app: ActiveApp,
  delivery: DeliveryRecord,
  stopping: AbortSignal,
): Promise<PostResult | null> {
  const started = performance.now();
  const result = (statusCode: number, status: string, answer: PostResult['answer']): PostResult => ({
    statusCode,
    status,
    durationSeconds: Math.round((performance.now() - started) / 10) / 100,
    answer,
  });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(app.webhookUrl, {
      method: 'POST',
      headers: deliveryHeaders(app, delivery),
      body: delivery.body,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, stopping]),
    });
    const answer = { headers: Object.fromEntries(response.headers), body: await readStart(response) };
    return result(response.status, response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`, answer);
  } catch {
    if (stopping.aborted) return null;
    const none = { headers: {}, body: '' };
    return timeout.aborted ? result(504, 'timed out', none) : result(502, 'failed to connect to host', none);
  }
}

async function readStart(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    size += part.length;
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
}
