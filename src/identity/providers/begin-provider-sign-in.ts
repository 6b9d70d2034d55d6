import { type Database, insertSignInRequest, type SignInRequestRow } from '../../store/index.ts';
import { hashToken } from '../token-text.ts';
import { REQUEST_MS } from './request-lifetime.ts';

/** A sign-in that somebody wants to begin at a provider. */
export interface WantedSignIn {
  readonly providerId: string;
  /** A path of this server. */
  readonly returnTo: string;
  /** The user who tries the provider out: then nobody is signed in, and `readTest` says what happened. */
  readonly testedBy?: string;
  /** The user who links their account there: then nobody is signed in, and `ProviderLinks` takes their consent. */
  readonly linkTo?: string;
}

/** Where the browser goes next, and what it has to bring back in a cookie. */
export interface BegunSignIn {
  readonly url: string;
  readonly browserSecret: string;
}

/** Stores what must be remembered until the provider answers. Only hashes of both secrets are stored. */
export async function insertProviderRequest(
  db: Database,
  wanted: WantedSignIn,
  request: Pick<SignInRequestRow, 'kind'> & {
    /** Travels through the provider: `state` of OpenID Connect, `RelayState` of SAML. */
    readonly requestSecret: string;
    readonly browserSecret: string;
    readonly at: Date;
  } & Partial<Pick<SignInRequestRow, 'requestId' | 'sealedSecrets'>>,
): Promise<SignInRequestRow> {
  const { requestSecret, browserSecret, at, ...columns } = request;
  return await insertSignInRequest(db, {
    ...columns,
    hash: hashToken(requestSecret),
    providerId: wanted.providerId,
    browserHash: hashToken(browserSecret),
    returnTo: wanted.returnTo,
    testedBy: wanted.testedBy ?? null,
    linkTo: wanted.linkTo ?? null,
    createdAt: at,
    expiresAt: new Date(at.getTime() + REQUEST_MS),
  });
}
