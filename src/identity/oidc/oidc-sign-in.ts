import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Http } from '../../net/index.ts';
import {
  type Database,
  type IdentityProviderRow,
  loadIdentityProvider,
  type RequestOrigin,
  type Sealer,
  type SignInRequestRow,
  tryUnseal,
} from '../../store/index.ts';
import { AdmissionRefused, type ProvedIdentity } from '../providers/admit-user.ts';
import {
  type BegunSignIn,
  insertProviderRequest,
  type WantedSignIn,
} from '../providers/begin-provider-sign-in.ts';
import { type EndedSignIn, endProviderSignIn } from '../providers/end-provider-sign-in.ts';
import { explainRefusal, refuseProviderSignIn, SignInFailed } from '../providers/provider-session.ts';
import { completeTest, readTest, removeOldTests, type SignInTest } from '../providers/sign-in-test.ts';
import { countSignInStart } from '../sign-in/attempts.ts';
import { type DescribedClaims, describeClaims } from './describe-answer.ts';
import { type OidcProviderSettings, openDiscovery } from './discover.ts';
import { explainFailure } from './explain-failure.ts';
import { type Claims, needsUserinfo, readIdentity } from './read-identity.ts';
import { OidcRefusal, type OidcRefusalReason } from './refusal.ts';
import { oidcRefusalAdvice } from './refusal-advice.ts';
import { DEFAULT_SCOPES, oidcServiceOf } from './service.ts';
import { emptyTranscript, type Transcript } from './transcript.ts';

/** A test of a provider of OpenID Connect. */
export type OidcTest = SignInTest<DescribedClaims>;

export interface OidcSignIn {
  /**
   * Begins a sign-in; null when there is no such provider that is set up. A test of a provider that cannot be used now has
   * ended already, and the address is that of `returnTo`.
   *
   * @throws SignInFailed when the provider cannot be used now
   * @throws TooManyAttempts for a network address that began many and ended few
   */
  begin(request: WantedSignIn & { readonly origin: RequestOrigin }): Promise<BegunSignIn | null>;
  /**
   * Ends what `begin` began: checks the answer and starts a session, once.
   *
   * @throws SignInFailed
   * @throws TooManyAttempts
   */
  finish(answer: {
    readonly providerId: string;
    /** The query with which the provider redirected here, with its question mark. */
    readonly query: string;
    /** Those of the browser's cookies that `begin` may have set. */
    readonly browserSecrets: readonly string[];
    readonly origin: RequestOrigin;
  }): Promise<EndedSignIn>;
  /** The last test of a provider that this user began within the last hour. */
  readTest(test: { readonly providerId: string; readonly userId: string }): Promise<OidcTest | null>;
}

/** What a request must remember and nobody else may know. */
interface RequestSecrets {
  readonly verifier: string;
  readonly nonce: string;
}

/** Sign-ins through the OpenID Connect providers of organizations; all that must be remembered is in the database. */
export function createOidcSignIn({
  db,
  sealer,
  http,
  publicUrl,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Reaches the addresses that organizations name, so it must have a guard. */
  readonly http: Http;
  readonly publicUrl: string;
  readonly now?: () => Date;
}): OidcSignIn {
  const discovery = openDiscovery(http, now);
  /** Failures of a description are shared by all who sign in for some seconds, and recorded once. */
  const recorded = new WeakSet<object>();

  const load = async (id: string) => {
    const provider = await loadIdentityProvider(db, id);
    return provider?.kind === 'oidc' ? provider : null;
  };

  return {
    async begin({ origin, ...wanted }) {
      const { testedBy, returnTo } = wanted;
      const row = await load(wanted.providerId);
      const provider = row && toOidcProvider(row, sealer);
      if (!provider) return null;
      const at = now();
      if (testedBy === undefined) await countSignInStart(db, origin.address, at);
      else await removeOldTests(db, at);
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const browserSecret = randomState();
      const transcript = emptyTranscript();
      const insertRequest = () =>
        insertProviderRequest(db, wanted, {
          kind: 'oidc',
          requestSecret: state,
          browserSecret,
          at,
          sealedSecrets: sealer.seal(JSON.stringify({ verifier, nonce } satisfies RequestSecrets)),
        });
      let url: URL;
      try {
        const configuration =
          testedBy === undefined
            ? await discovery.load(provider)
            : await discovery.loadForTest(provider, transcript);
        url = buildAuthorizationUrl(configuration, {
          redirect_uri: oidcServiceOf(publicUrl, provider.id).redirectURL,
          scope: (row.scopes ?? DEFAULT_SCOPES).join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
      } catch (error) {
        const refusal = explainFailure(error, 'discovery');
        if (testedBy === undefined || !(refusal instanceof OidcRefusal))
          throw await refuse(row, refusal, origin);
        await complete(await insertRequest(), refusal, { transcript, query: '', origin });
        return { url: returnTo, browserSecret };
      }
      await insertRequest();
      return { url: url.href, browserSecret };
    },

    async finish({ providerId, query, browserSecrets, origin }) {
      const row = await load(providerId);
      if (row === null) throw new SignInFailed('There is no such sign-in; use the one on the sign-in page.');
      const state = new URLSearchParams(query).get('state') ?? '';
      const transcript = emptyTranscript();
      return await endProviderSignIn(
        db,
        row,
        { requestSecret: state, browserSecrets, origin, now },
        {
          Refusal: OidcRefusal,
          prove: async (request) => ({
            identity: await exchange(row, request, state, query, transcript),
          }),
          complete: (test, result) => complete(test, result, { transcript, query, origin }),
          refuse: (error) => refuse(row, error, origin),
        },
      );
    },

    readTest: (test) => readTest(db, { ...test, now: now() }),
  };

  async function complete(
    test: SignInRequestRow,
    result: ProvedIdentity | OidcRefusal,
    answer: { readonly transcript: Transcript; readonly query: string; readonly origin: RequestOrigin },
  ): Promise<void> {
    const secrets = readSecrets(test, sealer);
    await completeTest(db, test, {
      result,
      advice: oidcRefusalAdvice,
      describe: (provider) =>
        describeClaims(answer.transcript, new URLSearchParams(answer.query), [
          toOidcProvider(provider, sealer)?.clientSecret ?? null,
          secrets?.nonce ?? null,
          secrets?.verifier ?? null,
        ]),
      origin: answer.origin,
      now: now(),
    });
  }

  /** The identity that the provider exchanges the answer for. @throws OidcRefusal */
  async function exchange(
    row: IdentityProviderRow,
    request: SignInRequestRow,
    state: string,
    query: string,
    transcript: Transcript,
  ): Promise<ProvedIdentity> {
    const provider = toOidcProvider(row, sealer);
    const secrets = readSecrets(request, sealer);
    if (provider === null || secrets === null) throw new OidcRefusal('request-used');
    const configuration =
      request.testedBy === null
        ? await discovery.load(provider)
        : await discovery.loadForTest(provider, transcript);
    const tokens = await explained(
      authorizationCodeGrant(configuration, new URL(query, oidcServiceOf(publicUrl, row.id).redirectURL), {
        expectedState: state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      }),
    );
    const claims: Claims | undefined = tokens.claims();
    if (claims === undefined) throw new OidcRefusal('no-id-token');
    const mayDescribe = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userinfo: Claims | null =
      mayDescribe && needsUserinfo(provider.issuer, claims)
        ? await explained(
            fetchUserInfo(configuration, tokens.access_token, String(claims['sub'])),
            'userinfo',
          )
        : null;
    return readIdentity({ label: row.label, issuer: provider.issuer }, claims, userinfo);
  }

  async function refuse(row: IdentityProviderRow, error: unknown, origin: RequestOrigin): Promise<unknown> {
    if (!(error instanceof OidcRefusal || error instanceof AdmissionRefused)) return error;
    if (recorded.has(error)) return explainRefusal(row, error);
    recorded.add(error);
    return await refuseProviderSignIn(db, row, error, { origin, at: now() });
  }
}

async function explained<T>(promise: Promise<T>, otherwise?: OidcRefusalReason): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw explainFailure(error, otherwise);
  }
}

/** Null while something is missing that sign-ins need, or the secret was sealed with a key that is lost. */
function toOidcProvider(row: IdentityProviderRow, sealer: Sealer): OidcProviderSettings | null {
  const { id, issuer, clientId, sealedClientSecret } = row;
  if (!issuer || !clientId) return null;
  if (sealedClientSecret === null) return { id, issuer, clientId, clientSecret: null };
  const clientSecret = tryUnseal(sealer, sealedClientSecret);
  return clientSecret === null ? null : { id, issuer, clientId, clientSecret };
}

function readSecrets({ sealedSecrets }: SignInRequestRow, sealer: Sealer): RequestSecrets | null {
  const text = sealedSecrets === null ? null : tryUnseal(sealer, sealedSecrets);
  return text === null ? null : (JSON.parse(text) as RequestSecrets);
}
