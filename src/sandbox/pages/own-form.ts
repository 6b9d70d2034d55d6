import type { IncomingMessage } from 'node:http';

/** Whether a form comes from a page of the sandbox itself: another site's page names its own origin. */
export function isOwnForm({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
