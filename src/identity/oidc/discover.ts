import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import type { Http } from '../../net/index.ts';
import { explainFailure } from './explain-failure.ts';
import { OidcRefusal } from './refusal.ts';
import { type Transcript, transcribing } from './transcript.ts';

/** What an organization set up about an OpenID Connect provider, as far as sign-ins need it. */
export interface OidcProviderSettings {
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client without one. */
  readonly clientSecret: string | null;
}

/** The library's configurations of providers, from their descriptions. */
export interface Discovery {
  /**
   * The configuration of a provider, at most ten minutes old; a failure counts for ten seconds.
   *
   * @throws OidcRefusal
   */
  load(provider: OidcProviderSettings): Promise<Configuration>;
  /**
   * The configuration of a provider as it is now, with which every answer is kept.
   *
   * @throws OidcRefusal
   */
  loadForTest(provider: OidcProviderSettings, transcript: Transcript): Promise<Configuration>;
}

const FRESH_MS = 10 * 60_000;
const FAILED_MS = 10_000;
const MOST_PROVIDERS = 200;

/** Of a description, of keys, and of every other answer of a provider: real ones have a few kilobytes. */
const MAX_BYTES = 256 * 1024;
/** In seconds: for each answer. */
const TIMEOUT = 10;

interface Entry {
  readonly settings: string;
  readonly configuration: Promise<Configuration>;
  until: number;
}

export function openDiscovery(http: Http, now: () => Date): Discovery {
  const entries = new Map<string, Entry>();
  const boundedFetch = fetchThrough(http);

  return {
    load(provider) {
      const at = now().getTime();
      const settings = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret]);
      const known = entries.get(provider.id);
      if (known !== undefined && known.settings === settings && at < known.until) return known.configuration;
      const configuration = discover(provider, boundedFetch);
      const entry: Entry = { settings, configuration, until: at + FRESH_MS };
      configuration.catch(() => {
        entry.until = now().getTime() + FAILED_MS;
      });
      entries.delete(provider.id);
      entries.set(provider.id, entry);
      for (const id of entries.keys()) {
        if (entries.size <= MOST_PROVIDERS) break;
        entries.delete(id);
      }
      return configuration;
    },
    loadForTest: (provider, transcript) => discover(provider, transcribing(boundedFetch, transcript)),
  };
}

async function discover(provider: OidcProviderSettings, boundedFetch: CustomFetch): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  try {
    // Over http only where the operator allowed the host, which the guard checks; an https issuer names https addresses.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const found = await discovery(new URL(issuer), clientId, undefined, None(), {
      [customFetch]: boundedFetch,
      timeout: TIMEOUT,
      execute,
    });
    const server = found.serverMetadata();
    // Providers of many tenants describe themselves without naming one: anybody’s tenant could sign in then.
    if (new URL(server.issuer).href !== new URL(issuer).href)
      throw new OidcRefusal('other-issuer', { detail: server.issuer.slice(0, 200) });
    const configuration = new Configuration(
      server,
      clientId,
      undefined,
      authenticationOf(clientSecret, server.token_endpoint_auth_methods_supported),
    );
    configuration[customFetch] = boundedFetch;
    configuration.timeout = TIMEOUT;
    for (const extension of execute) extension(configuration);
    // Otherwise the library trusts the connection and does not verify the ID token’s signature.
    enableNonRepudiationChecks(configuration);
    return configuration;
  } catch (error) {
    throw explainFailure(error, 'discovery');
  }
}

/** Most accept the secret in the body, where its letters need no second encoding; those that do not say so do not. */
function authenticationOf(
  secret: string | null,
  supported: readonly string[] = ['client_secret_basic'],
): ClientAuth {
  if (secret === null) return None();
  return supported.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** The library's requests, through the guard and with limits of size and time. It follows no redirects. */
function fetchThrough(http: Http): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await http.request(url, {
      method,
      headers,
      ...(body == null ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
      maxBytes: MAX_BYTES,
      retries: method === 'GET' ? 1 : 0,
    });
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : Buffer.from(answer.bytes()), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
