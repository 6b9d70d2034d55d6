import type { IncomingMessage } from 'node:http';
import { ForgeApiError } from './api-error.ts';

const MAX_BODY_BYTES = 30 * 1024 * 1024;

/** The request's JSON; undefined without a body. Throws a 400 for invalid JSON and a 413 for too much of it. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new ForgeApiError(413, 'Request body is too large');
    parts.push(part as Buffer);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw new ForgeApiError(400, 'Problems parsing JSON');
  }
}
