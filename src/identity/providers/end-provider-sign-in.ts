import {
  type Database,
  type Db,
  findSignInRequest,
  type IdentityProviderRow,
  type RequestOrigin,
  type SignInRequestRow,
  useSignInRequest,
} from '../../store/index.ts';
import type { StartedSession } from '../begin-session.ts';
import { uncountSignInStart } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import type { ProvedIdentity } from './admit-user.ts';
import { offerLink } from './provider-links.ts';
import { LinkFailed, SignInFailed, startProviderSession } from './provider-session.ts';
import type { SignInRefusal } from './sign-in-refusal.ts';
import { findTestOf } from './sign-in-test.ts';

/** Why an answer is refused before it is read, whatever its protocol. */
type RequestRefusal = 'not-requested' | 'request-used' | 'other-browser' | 'other-provider';

/** What differs between the protocols of providers. */
interface AnswerProtocol<Refusal extends SignInRefusal> {
  readonly Refusal: new (reason: RequestRefusal) => Refusal;
  /**
   * Checks the answer.
   *
   * @returns whom it names, and what uses it up in the transaction that accepts it.
   * @throws Refusal
   */
  prove(request: SignInRequestRow): Promise<{
    readonly identity: ProvedIdentity;
    readonly accept?: (tx: Db) => Promise<void>;
  }>;
  /** Stores what came of a test. */
  complete(test: SignInRequestRow, result: ProvedIdentity | Refusal): Promise<void>;
  /** Counts and records a refusal. Returns what the person is told; any other error as it is. */
  refuse(error: unknown): Promise<unknown>;
}

/** The session is null after a test, and where somebody links an account. */
export interface EndedSignIn {
  readonly session: StartedSession | null;
  readonly returnTo: string;
}

/** Ends a sign-in that was begun at a provider: checks its answer and starts a session, once. @throws SignInFailed */
export async function endProviderSignIn<Refusal extends SignInRefusal>(
  db: Database,
  provider: IdentityProviderRow,
  answer: {
    /** As it came back from the provider. */
    readonly requestSecret: string;
    /** Those of the browser's cookies that may be of the request. */
    readonly browserSecrets: readonly string[];
    readonly origin: RequestOrigin;
    readonly now: () => Date;
  },
  { Refusal, prove, complete, refuse }: AnswerProtocol<Refusal>,
): Promise<EndedSignIn> {
  const { origin, now } = answer;
  const hash = hashToken(answer.requestSecret);
  const browserHashes = answer.browserSecrets.map(hashToken);
  const request = await findSignInRequest(db, hash);
  const test = await findTestOf(db, provider, { request, browserHashes, now: now() });
  try {
    if (request === null || request.kind !== provider.kind) throw new Refusal('not-requested');
    if (request.providerId !== provider.id) throw new Refusal('other-provider');
    // Against being signed in as somebody else: an attacker has the answer, but not this browser's cookie.
    if (!browserHashes.includes(request.browserHash)) throw new Refusal('other-browser');
    if (!(await useSignInRequest(db, request.hash, now()))) throw new Refusal('request-used');
    const { identity, accept } = await prove(request);
    const returnTo = request.returnTo ?? '/';
    if (request.testedBy !== null) {
      await complete(request, identity);
      return { session: null, returnTo };
    }
    if (request.linkTo !== null) {
      await offerLink(db, provider, request, identity, accept);
      await uncountSignInStart(db, origin.address, now());
      return { session: null, returnTo };
    }
    const session = await db.transaction(async (tx) => {
      await accept?.(tx);
      return await startProviderSession(tx, provider, identity, { origin, at: now() });
    });
    if (session === null) throw new Refusal('other-provider');
    await uncountSignInStart(db, origin.address, now());
    return { session, returnTo };
  } catch (error) {
    if (test !== null && error instanceof Refusal) {
      await complete(test, error);
      return { session: null, returnTo: test.returnTo ?? '/' };
    }
    const failure = await refuse(error);
    throw failure instanceof SignInFailed ? LinkFailed.of(request, failure) : failure;
  }
}
