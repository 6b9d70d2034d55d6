import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AddressRefusedError, FetchError, type Http, type HttpResponse } from '../../net/index.ts';
import { GitHubRefusal } from './refusal.ts';

/** The GitHub App with which people sign in, at its GitHub. */
export interface GitHubClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The addresses of GitHub's pages and of its REST API, without a slash at the end. */
  readonly webUrl: string;
  readonly apiUrl: string;
}

/** Somebody as GitHub describes them. */
export interface GitHubUser {
  /** Never changes and is never given to anybody else, unlike the login. */
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
}

const User = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  login: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
});
const Emails = Type.Array(
  Type.Object({ email: Type.String({ maxLength: 320 }), primary: Type.Boolean(), verified: Type.Boolean() }),
);
const Token = Type.Object({ access_token: Type.String({ minLength: 1, maxLength: 512 }) });
const Refused = Type.Object({ error: Type.String() });

/** In bytes; real answers have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/** Exchanges a code for the token of its user. The token is not stored: it is used for the two requests below. @throws GitHubRefusal */
export async function exchangeUserCode(
  http: Http,
  client: GitHubClient,
  answer: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
): Promise<string> {
  const form = new URLSearchParams({
    client_id: client.clientId,
    client_secret: client.clientSecret,
    code: answer.code,
    redirect_uri: answer.redirectUri,
    code_verifier: answer.verifier,
  });
  const response = await send(() =>
    http.request(`${client.webUrl}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      maxBytes: MAX_BYTES,
      retries: 0,
    }),
  );
  const body = bodyOf(response);
  // GitHub answers 200 also for a code that it refuses.
  if (Value.Check(Token, body)) return body.access_token;
  const code = Value.Check(Refused, body) && /^[a-z_]{1,60}$/.test(body.error) ? body.error : undefined;
  throw new GitHubRefusal('token-refused', { detail: code });
}

/** @throws GitHubRefusal */
export async function readGitHubUser(http: Http, client: GitHubClient, token: string): Promise<GitHubUser> {
  const response = await get(http, `${client.apiUrl}/user`, token);
  const body = bodyOf(response);
  if (response.status !== 200 || !Value.Check(User, body)) throw new GitHubRefusal('malformed');
  const { id, login, name = null }: Static<typeof User> = body;
  return { id, login, name };
}

/** The user's primary address if GitHub has verified it; undefined when the App may not read addresses. @throws GitHubRefusal */
export async function readVerifiedAddress(
  http: Http,
  client: GitHubClient,
  token: string,
): Promise<string | null | undefined> {
  const response = await get(http, `${client.apiUrl}/user/emails?per_page=100`, token);
  if (response.status === 403 || response.status === 404) return undefined;
  const body = bodyOf(response);
  if (response.status !== 200 || !Value.Check(Emails, body)) throw new GitHubRefusal('malformed');
  return body.find(({ primary, verified }) => primary && verified)?.email ?? null;
}

async function get(http: Http, url: string, token: string): Promise<HttpResponse> {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
  return await send(() => http.request(url, { headers, maxBytes: MAX_BYTES, retries: 1 }));
}

async function send(request: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof AddressRefusedError)) throw error;
    throw new GitHubRefusal('unreachable', { cause: error, detail: error.message });
  }
}

function bodyOf(response: HttpResponse): unknown {
  try {
    return response.json();
  } catch {
    return null;
  }
}
