import { randomBytes } from 'node:crypto';
import {
  type Database,
  type Db,
  type IdentityProviderRow,
  loadIdentityProvider,
  type RequestOrigin,
  type SignInRequestRow,
  useAssertion,
} from '../../store/index.ts';
import { AdmissionRefused, type ProvedIdentity } from '../providers/admit-user.ts';
import {
  type BegunSignIn,
  insertProviderRequest,
  type WantedSignIn,
} from '../providers/begin-provider-sign-in.ts';
import { type EndedSignIn, endProviderSignIn } from '../providers/end-provider-sign-in.ts';
import { refuseProviderSignIn, SignInFailed } from '../providers/provider-session.ts';
import { completeTest, readTest, removeOldTests, type SignInTest } from '../providers/sign-in-test.ts';
import { countSignInStart } from '../sign-in/attempts.ts';
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
  begin(request: WantedSignIn & { readonly address: string | null }): Promise<BegunSignIn | null>;
  /**
   * Ends what `begin` began: checks the answer and starts a session, once.
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
  }): Promise<EndedSignIn>;
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
    async begin({ address, ...wanted }) {
      const row = await load(wanted.providerId);
      const provider = row && toSamlProvider(row);
      if (!provider) return null;
      const at = now();
      if (wanted.testedBy === undefined) await countSignInStart(db, address, at);
      const relayState = randomBytes(32).toString('base64url');
      const browserSecret = randomBytes(32).toString('base64url');
      const { requestId, url } = await createSamlRequest(provider, publicUrl, relayState);
      if (wanted.testedBy !== undefined) await removeOldTests(db, at);
      await insertProviderRequest(db, wanted, {
        kind: 'saml',
        requestSecret: relayState,
        browserSecret,
        at,
        requestId,
      });
      return { url, browserSecret };
    },

    async finish({ providerId, form, relayState, browserSecrets, origin }) {
      const row = await load(providerId);
      if (row === null) throw new SignInFailed('There is no such sign-in; use the one on the sign-in page.');
      return await endProviderSignIn(
        db,
        row,
        { requestSecret: relayState, browserSecrets, origin, now },
        {
          Refusal: SamlRefusal,
          prove: (request) => prove(row, request, form),
          complete: (test, result) =>
            completeTest(db, test, {
              result,
              advice: refusalAdvice,
              describe: ({ certificates }) => describeAnswer(form, certificates),
              origin,
              now: now(),
            }),
          refuse: async (error) =>
            error instanceof SamlRefusal || error instanceof AdmissionRefused
              ? await refuseProviderSignIn(db, row, error, { origin, at: now() })
              : error,
        },
      );
    },

    readTest: (test) => readTest(db, { ...test, now: now() }),

    async describe(providerId) {
      const row = await load(providerId);
      return row && describeService(publicUrl, row.id);
    },
  };

  /** Whom a response names. Its assertion is accepted once. @throws SamlRefusal */
  async function prove(row: IdentityProviderRow, request: SignInRequestRow, form: string) {
    const provider = toSamlProvider(row);
    if (provider === null) throw new SamlRefusal('not-requested');
    const user = await verifyResponse(form, {
      provider,
      publicUrl,
      requestId: request.requestId ?? '',
      now: now(),
    });
    const assertion = { providerId: row.id, assertionId: user.assertionId, expiresAt: user.expiresAt };
    const accept = async (tx: Db) => {
      if (!(await useAssertion(tx, assertion))) throw new SamlRefusal('replay');
    };
    return { identity: toIdentity(user), accept };
  }
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
