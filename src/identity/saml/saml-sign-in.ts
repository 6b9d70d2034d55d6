import { randomBytes } from 'node:crypto';
import {
  type Database,
  type Db,
  findSignInRequest,
  type IdentityProviderRow,
  insertSignInRequest,
  loadIdentityProvider,
  type RequestOrigin,
  type SignInRequestRow,
  useAssertion,
  useSignInRequest,
} from '../../store/index.ts';
import type { StartedSession } from '../begin-session.ts';
import { AdmissionRefused, type ProvedIdentity } from '../providers/admit-user.ts';
import { offerLink } from '../providers/provider-links.ts';
import {
  LinkFailed,
  refuseProviderSignIn,
  SignInFailed,
  startProviderSession,
} from '../providers/provider-session.ts';
import { REQUEST_MS } from '../providers/request-lifetime.ts';
import {
  completeTest,
  findTestOf,
  readTest,
  removeOldTests,
  type SignInTest,
} from '../providers/sign-in-test.ts';
import { countSignInStart, uncountSignInStart } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import { type DescribedAnswer, describeAnswer } from './describe-answer.ts';
import { SamlRefusal } from './refusal.ts';
import { refusalAdvice } from './refusal-advice.ts';
import { createSamlRequest, describeService, type SamlProviderSettings } from './service.ts';
import { type SamlUser, verifyResponse } from './verify-response.ts';

/** A test of a SAML provider. */
export type SamlTest = SignInTest<DescribedAnswer>;

export interface SamlSignIn {
  /**
   * Begins a sign-in; null when there is no such provider that is set up.
   *
   * @throws TooManyAttempts for a network address that began many and ended few
   */
  begin(request: {
    readonly providerId: string;
    /** A path of this server. */
    readonly returnTo: string;
    /** The user who tries the provider out: then nobody is signed in, and `readTest` says what happened. */
    readonly testedBy?: string;
    /** The user who links their account there: then nobody is signed in, and `ProviderLinks` takes their consent. */
    readonly linkTo?: string;
    readonly address: string | null;
  }): Promise<{ readonly url: string; readonly browserSecret: string } | null>;
  /**
   * Ends what `begin` began: checks the answer and starts a session, once. The session is null after a test, and where
   * somebody links an account.
   *
   * @throws SignInFailed
   * @throws TooManyAttempts for a refused answer after many of them from there; good answers are never refused for that
   */
  finish(answer: {
    readonly providerId: string;
    readonly form: string;
    readonly relayState: string;
    /** Those of the browser's cookies that `begin` may have set. */
    readonly browserSecrets: readonly string[];
    readonly origin: RequestOrigin;
  }): Promise<{ readonly session: StartedSession | null; readonly returnTo: string }>;
  /** The last test of a provider that this user began within the last hour. */
  readTest(test: { readonly providerId: string; readonly userId: string }): Promise<SamlTest | null>;
  /** SAML metadata of this service; null when there is no such provider. */
  describe(providerId: string): Promise<string | null>;
}

/** Sign-ins through the SAML identity providers of organizations; all that must be remembered is in the database. */
export function createSamlSignIn({
  db,
  publicUrl,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly publicUrl: string;
  readonly now?: () => Date;
}): SamlSignIn {
  const load = async (id: string) => {
    const provider = await loadIdentityProvider(db, id);
    return provider?.kind === 'saml' ? provider : null;
  };

  return {
    async begin({ providerId, returnTo, address, testedBy, linkTo }) {
      const row = await load(providerId);
      const provider = row && toSamlProvider(row);
      if (!provider) return null;
      const at = now();
      if (testedBy === undefined) await countSignInStart(db, address, at);
      const relayState = randomBytes(32).toString('base64url');
      const browserSecret = randomBytes(32).toString('base64url');
      const { requestId, url } = await createSamlRequest(provider, publicUrl, relayState);
      if (testedBy !== undefined) await removeOldTests(db, at);
      await insertSignInRequest(db, {
        hash: hashToken(relayState),
        kind: 'saml',
        providerId: provider.id,
        requestId,
        browserHash: hashToken(browserSecret),
        returnTo,
        testedBy: testedBy ?? null,
        linkTo: linkTo ?? null,
        createdAt: at,
        expiresAt: new Date(at.getTime() + REQUEST_MS),
      });
      return { url, browserSecret };
    },

    async finish({ providerId, form, relayState, browserSecrets, origin }) {
      const row = await load(providerId);
      if (row === null) throw new SignInFailed('There is no such sign-in; use the one on the sign-in page.');
      const hash = hashToken(relayState);
      const browserHashes = browserSecrets.map(hashToken);
      const request = await findSignInRequest(db, hash);
      const test = await findTestOf(db, row, { request, browserHashes, now: now() });
      const complete = (of: SignInRequestRow, result: ProvedIdentity | SamlRefusal) =>
        completeTest(db, of, {
          result,
          advice: refusalAdvice,
          describe: ({ certificates }) => describeAnswer(form, certificates),
          origin,
          now: now(),
        });
      try {
        if (request === null || request.kind !== 'saml') throw new SamlRefusal('not-requested');
        if (request.providerId !== row.id) throw new SamlRefusal('other-provider');
        // Against being signed in as somebody else: an attacker has the answer, but not this browser's cookie.
        if (!browserHashes.includes(request.browserHash)) throw new SamlRefusal('other-browser');
        if (!(await useSignInRequest(db, hash, now()))) throw new SamlRefusal('request-used');
        const provider = toSamlProvider(row);
        if (provider === null) throw new SamlRefusal('not-requested');
        const user = await verifyResponse(form, {
          provider,
          publicUrl,
          requestId: request.requestId ?? '',
          now: now(),
        });
        const returnTo = request.returnTo ?? '/';
        if (request.testedBy !== null) {
          await complete(request, toIdentity(user));
          return { session: null, returnTo };
        }
        const assertion = { providerId: row.id, assertionId: user.assertionId, expiresAt: user.expiresAt };
        const accept = async (tx: Db) => {
          if (!(await useAssertion(tx, assertion))) throw new SamlRefusal('replay');
        };
        if (request.linkTo !== null) {
          await offerLink(db, row, request, toIdentity(user), accept);
          await uncountSignInStart(db, origin.address, now());
          return { session: null, returnTo };
        }
        const session = await db.transaction(async (tx) => {
          await accept(tx);
          return await startProviderSession(tx, row, toIdentity(user), { origin, at: now() });
        });
        if (session === null) throw new SamlRefusal('other-provider');
        await uncountSignInStart(db, origin.address, now());
        return { session, returnTo };
      } catch (error) {
        if (!(error instanceof SamlRefusal || error instanceof AdmissionRefused)) throw error;
        if (test !== null && error instanceof SamlRefusal) {
          await complete(test, error);
          return { session: null, returnTo: test.returnTo ?? '/' };
        }
        throw LinkFailed.of(request, await refuseProviderSignIn(db, row, error, { origin, at: now() }));
      }
    },

    readTest: (test) => readTest(db, { ...test, now: now() }),

    async describe(providerId) {
      const row = await load(providerId);
      return row && describeService(publicUrl, row.id);
    },
  };
}

/** Null while something is missing that sign-ins need. */
function toSamlProvider(row: IdentityProviderRow): SamlProviderSettings | null {
  const { id, entityId, ssoUrl, certificates } = row;
  if (!entityId || !ssoUrl || certificates.length === 0) return null;
  return { id, entityId, ssoUrl, certificates };
}

/** The names under which providers send an address and a name: their own defaults, LDAP's, and Microsoft's. */
const EMAIL = [
  'email',
  'mail',
  'emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
];
const NAME = [
  'displayname',
  'name',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'cn',
  'urn:oid:2.5.4.3',
];

function toIdentity({ nameId, nameIdFormat, attributes }: SamlUser): ProvedIdentity {
  const lower = new Map([...attributes].map(([name, values]) => [name.toLowerCase(), values]));
  const first = (names: readonly string[]) => {
    for (const name of names) {
      const [value, ...others] = lower.get(name) ?? [];
      if (value !== undefined && others.length === 0) return value;
    }
    return null;
  };
  const isAddress = nameIdFormat === 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  const email = first(EMAIL) ?? (isAddress || nameId.includes('@') ? nameId : null);
  return { subject: nameId, label: email ?? nameId, email, displayName: first(NAME) };
}
