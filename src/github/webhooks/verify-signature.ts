import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=[0-9a-f]{64}$/;

/**
 * Whether `X-Hub-Signature-256` was made over exactly these bytes with one of the secrets, the current one
 * first and older ones while a rotation lasts. Takes the same time wherever the signatures differ.
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function verifySignature(
  body: Uint8Array,
  signature: string | undefined,
  secrets: readonly string[],
): boolean {
  if (signature === undefined || !FORM.test(signature)) return false;
  const received = Buffer.from(signature.slice('sha256='.length), 'hex');
  let matches = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(body).digest();
    matches = timingSafeEqual(expected, received) || matches;
  }
  return matches;
}
