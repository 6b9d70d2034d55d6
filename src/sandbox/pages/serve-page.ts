import type { IncomingMessage, ServerResponse } from 'node:http';
import { ForgeApiError } from '../api/api-error.ts';
import { canSee, identifyCaller, readCredential } from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import { findRepository } from '../state/find-records.ts';
import { formTargets, handleAppPage } from './app-pages.ts';
import { handleAuthorization } from './authorize-pages.ts';
import { frame } from './frame.ts';
import { homePage } from './home-page.ts';
import { safeHtml } from './html.ts';
import type { PageResult } from './page.ts';
import { pressAction } from './press-action.ts';
import { pressPull } from './press-pull.ts';
import { repositoryPages } from './repository-pages.ts';
import { STYLE_ADDRESS, style } from './style.ts';

const security = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Serves a page to a browser. Private repositories need a token as the password, as for git. */
export async function servePage(
  context: ForgeContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, type: string, body: string | Buffer, more = {}): void => {
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...security, ...more });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const authorization = await handleAuthorization(context, url, request);
  if (authorization && 'json' in authorization)
    return send(200, 'application/json', JSON.stringify(authorization.json));
  const appPage = authorization ?? (await handleAppPage(context, url, request));
  const pressedPull = appPage ? null : await pressPull(context, url, request);
  request.resume();
  if (pressedPull && 'location' in pressedPull)
    return send(303, 'text/plain', '', { location: pressedPull.location });
  if (pressedPull) return send(pressedPull.status, 'text/html', pressedPull.page.text);
  if (appPage && 'location' in appPage) return send(302, 'text/plain', '', { location: appPage.location });
  if (appPage) {
    const policy = security['content-security-policy'].replace(
      "form-action 'none'",
      `form-action ${formTargets(context, appPage)}`,
    );
    // A page that sends no referrer sends no origin with its forms either.
    const headers = { 'content-security-policy': policy, 'referrer-policy': 'same-origin' };
    return send(appPage.status ?? 200, 'text/html', appPage.page.text, headers);
  }
  const pressed = await pressAction(context, url, request);
  if (pressed) return send(303, 'text/plain', '', { location: pressed });
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(405, 'text/plain', 'This page has no such button.\n', { allow: 'GET, HEAD' });
  }
  if (url.pathname === STYLE_ADDRESS) return send(200, 'text/css', style);
  const page = await findPage(context, url.pathname, request.headers.authorization);
  if (Buffer.isBuffer(page)) return send(200, 'text/plain', page);
  if (page) {
    // Several pages have buttons of check runs.
    const policy = security['content-security-policy'].replace("form-action 'none'", "form-action 'self'");
    // A page that sends no referrer sends no origin with its forms either.
    const headers = { 'content-security-policy': policy, 'referrer-policy': 'same-origin' };
    return send(200, 'text/html', page.text, headers);
  }
  const missing = safeHtml`<h1>Not found</h1>
<p class="sentence">There is no such page. <a href="/">See all repositories</a>.</p>`;
  return send(404, 'text/html', frame('Not found', [], missing).text);
}

async function findPage(
  context: ForgeContext,
  path: string,
  authorization: string | undefined,
): Promise<PageResult> {
  const parts = decodeParts(path);
  if (!parts) return null;
  const caller = await identifyCaller(context, readCredential(authorization));
  if (parts.length === 0) return homePage({ context, caller });
  const [owner = '', name = '', ...rest] = parts;
  const repository = findRepository(context.data, owner, name);
  if (!repository) return null;
  if (!canSee(context, caller, repository)) {
    throw new ForgeApiError(401, 'This repository is private.', {
      headers: { 'www-authenticate': 'Basic realm="Docloom sandbox: a token as the password"' },
    });
  }
  const kind = rest[0] ?? '';
  return Object.hasOwn(repositoryPages, kind)
    ? ((await repositoryPages[kind]?.({ context, caller, repository, rest })) ?? null)
    : null;
}

/** Null for invalid percent-encoding. */
function decodeParts(path: string): string[] | null {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}
