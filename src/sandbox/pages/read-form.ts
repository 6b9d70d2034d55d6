import type { IncomingMessage } from 'node:http';
import { ForgeApiError } from '../api/api-error.ts';

const MAX_FORM_BYTES = 256 * 1024;

/** Reads the fields of a form. Throws a 413 for a larger one. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let size = 0;
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_FORM_BYTES) throw new ForgeApiError(413, 'The form is too large.');
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}
