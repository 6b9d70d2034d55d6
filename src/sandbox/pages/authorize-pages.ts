import type { IncomingMessage } from 'node:http';
import { beginAuthorization, exchangeAuthorization } from '../actions/authorize-user.ts';
import type { ForgeContext } from '../forge-context.ts';
import type { AppPageResult } from './app-pages.ts';
import { frame } from './frame.ts';
import { safeHtml } from './html.ts';
import { isOwnForm } from './own-form.ts';
import { readForm } from './read-form.ts';

const AUTHORIZE = '/login/oauth/authorize';
const EXCHANGE = '/login/oauth/access_token';

/** What the pages of GitHub's web application flow take. https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const KNOWN: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
]);

/** The answer of the token endpoint, which is JSON. */
export interface TokenAnswer {
  readonly json: object;
}

/**
 * Where a person lets the App know who they are: the page on which they choose an account, and the endpoint that exchanges a
 * code. Null for other addresses.
 */
export async function handleAuthorization(
  context: ForgeContext,
  url: URL,
  request: IncomingMessage,
): Promise<AppPageResult | TokenAnswer | null> {
  const { pathname: path } = url;
  if (path === EXCHANGE && request.method === 'POST')
    return { json: exchangeAuthorization(context, await readForm(request)) };
  if (path !== AUTHORIZE) return null;
  const unknown = [...url.searchParams.keys()].filter((name) => !KNOWN.has(name));
  const { app } = context;
  if (app === null || url.searchParams.get('client_id') !== `Iv1.${app.id}` || unknown.length > 0)
    return refuse('The client_id is unknown, or a parameter is.');
  const redirectUri = url.searchParams.get('redirect_uri') ?? '';
  if (!app.callbackUrls.includes(redirectUri))
    return refuse('The redirect_uri is not associated with this application.');
  if (request.method !== 'POST')
    return {
      page: frame(
        `Authorize ${app.name}`,
        [safeHtml`<span aria-current="page">Authorize</span>`],
        safeHtml`<h1>Authorize ${app.name}</h1>
<p class="sentence soft">It learns who you are. Nobody signs in at the sandbox: choose an account.</p>
${context.data.accounts
  .filter(({ type, login }) => type === 'User' && login !== 'ghost')
  .map(
    ({ login }) => safeHtml`<form method="post" action="${path}${url.search}">
<input type="hidden" name="login" value="${login}">
<p><button type="submit">Authorize as ${login}</button></p>
</form>`,
  )}`,
      ),
      formsTo: new URL(redirectUri).origin,
    };
  const form = await readForm(request);
  const account = context.data.accounts.find(({ login }) => login === form.get('login'));
  if (!isOwnForm(request) || account === undefined) return refuse('There is no such account.');
  const back = new URL(redirectUri);
  const challenge = url.searchParams.get('code_challenge');
  if (challenge !== null && url.searchParams.get('code_challenge_method') !== 'S256')
    return refuse('The code_challenge_method must be S256.');
  back.searchParams.set(
    'code',
    beginAuthorization(context, { accountId: account.id, redirectUri, challenge }),
  );
  const state = url.searchParams.get('state');
  if (state !== null) back.searchParams.set('state', state);
  return { location: back.href };
}

function refuse(sentence: string): AppPageResult {
  return {
    status: 404,
    page: frame('Not found', [], safeHtml`<h1>Not found</h1><p class="sentence">${sentence}</p>`),
  };
}
