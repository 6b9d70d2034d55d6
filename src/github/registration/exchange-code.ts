import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { apiAddress, createBoundedFetch, type GitHubAddress, hostName } from '../api/index.ts';

/** Only the fields that are stored. https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest */
const Conversion = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  slug: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  html_url: Type.String({ minLength: 1 }),
  owner: Type.Object({ login: Type.Optional(Type.String()), slug: Type.Optional(Type.String()) }),
  client_id: Type.String(),
  client_secret: Type.String(),
  webhook_secret: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  pem: Type.String({ pattern: '-----BEGIN' }),
});
const check = Compile(Conversion);

/** An App as GitHub registered it, with its secrets. */
export interface RegisteredApp extends GitHubAddress {
  readonly appId: number;
  readonly slug: string;
  readonly name: string;
  /** The App's page for people. */
  readonly url: string;
  readonly owner: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** GitHub did not return the App: a sentence for people, without secrets. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
}

/**
 * Exchanges the code that GitHub issued for the App that somebody just registered; a code is valid once, and for one hour.
 * @throws {ExchangeError}
 */
export async function exchangeCode(address: GitHubAddress, code: string): Promise<RegisteredApp> {
  const body = await post(address, `/app-manifests/${encodeURIComponent(code)}/conversions`);
  if (!check.Check(body))
    throw new ExchangeError(
      `${hostName(address)} sent a response that does not describe an App. Start again; if that does not help, create the App by hand.`,
    );
  const app: Static<typeof Conversion> = body;
  if (app.webhook_secret === null)
    throw new ExchangeError(
      `${hostName(address)} registered the App without a webhook secret. Set one on the App’s page, then pass it to Docloom as WEBHOOK_SECRET with APP_ID and PRIVATE_KEY.`,
    );
  return {
    host: address.host,
    protocol: address.protocol,
    appId: app.id,
    slug: app.slug,
    name: app.name,
    url: app.html_url,
    owner: app.owner.login ?? app.owner.slug ?? '',
    clientId: app.client_id,
    clientSecret: app.client_secret,
    privateKey: app.pem,
    webhookSecret: app.webhook_secret,
  };
}

async function post(address: GitHubAddress, path: string): Promise<unknown> {
  const host = hostName(address);
  let response: Response;
  try {
    response = await createBoundedFetch()(apiAddress(address) + path, {
      method: 'POST',
      headers: { accept: 'application/vnd.github+json', 'user-agent': 'docloom' },
      redirect: 'error',
    });
  } catch {
    throw new ExchangeError(
      `This server could not reach the API of ${host}. Check its network and name resolution, then start again.`,
    );
  }
  if (response.status === 404)
    throw new ExchangeError(
      `${host} does not know this code: a code is valid once, and for one hour. Start again, and delete the App that was created on its page there.`,
    );
  if (!response.ok)
    throw new ExchangeError(`${host} answered with status ${response.status}. Start again later.`);
  return await response.json().catch(() => null);
}
