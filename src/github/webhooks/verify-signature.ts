import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=[0-9a-f]{64}$/;

/** Returns the bytes of `X-Hub-Signature-256`; null for a header of another form. */
export function readSignature(signature: string | undefined): Uint8Array | null {
  if (signature === undefined || !FORM.test(signature)) return null;
  return Buffer.from(signature.slice('sha256='.length), 'hex');
}

/**
 * Whether a signature (`X-Hub-Signature-256`) was made over exactly these bytes, given in pieces, with one of the secrets, the current one
 * first and older ones while a rotation lasts. Takes the same time wherever the signatures differ.
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function verifySignature(
  chunks: readonly Uint8Array[],
  received: Uint8Array,
  secrets: readonly string[],
): boolean {
  let matches = false;
  for (const secret of secrets) {
    const hash = createHmac('sha256', secret);
    for (const chunk of chunks) hash.update(chunk);
    matches = timingSafeEqual(hash.digest(), received) || matches;
  }
  return matches;
}
