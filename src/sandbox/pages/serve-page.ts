import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForgeContext } from '../forge-context.ts';

/** Answers a person's browser. */
export async function servePage(
  _context: ForgeContext,
  _url: URL,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('There is no such page.\n');
}
