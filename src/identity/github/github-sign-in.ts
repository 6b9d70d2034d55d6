import { createHash, randomBytes } from 'node:crypto';
import type { Http } from '../../net/index.ts';
import {
  type Database,
  deleteUserIdentity,
  findIdentityUser,
  findSignInRequest,
  findUserIdentity,
  hasOtherWayIn,
  insertSignInRequest,
  loadUser,
  lockUser,
  type RequestOrigin,
  recordAudit,
  type Sealer,
  useSignInRequest,
} from '../../store/index.ts';
import { AccountProblem } from '../account-input.ts';
import { AdmissionRefused } from '../providers/admit-user.ts';
import { countRefusal, describeRefusal, SignInFailed } from '../providers/provider-session.ts';
import { REQUEST_MS } from '../providers/request-lifetime.ts';
import type { SignIn } from '../session-store.ts';
import { countSignInStart, uncountSignInStart } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import { admitGitHubUser, gitHubKey, linkGitHubUser } from './admit-github-user.ts';
import {
  exchangeUserCode,
  type GitHubClient,
  type GitHubUser,
  readGitHubUser,
  readVerifiedAddress,
} from './github-user.ts';
import { GitHubRefusal } from './refusal.ts';

/** Signing in with GitHub, through the App of this server. */
export interface GitHubSignIn {
  /** Whether there is an App with which people can sign in. */
  isSet(): boolean;
  /**
   * Begins a sign-in, or with `linkTo` the linking of an account to that user; null without an App.
   *
   * @throws TooManyAttempts
   */
  begin(request: {
    /** A path of this server. */
    readonly returnTo: string;
    readonly linkTo: string | null;
    readonly origin: RequestOrigin;
  }): Promise<{ readonly url: string; readonly browserSecret: string } | null>;
  /**
   * Ends what `begin` began. The sign-in is null when an account was linked.
   *
   * @throws SignInFailed
   * @throws TooManyAttempts
   */
  finish(answer: {
    /** The query with which GitHub redirected here. */
    readonly query: URLSearchParams;
    readonly browserSecrets: readonly string[];
    /** Who is signed in in this browser and may change the account. */
    readonly userId: string | null;
    /** The secret of the invitation that this browser opened. */
    readonly inviteSecret: string | null;
    readonly origin: RequestOrigin;
  }): Promise<{ readonly signIn: SignIn | null; readonly returnTo: string }>;
  /** The login of the GitHub account that is linked to a user, as of its last use; null for none. */
  findLogin(userId: string): Promise<string | null>;
  /** @throws AccountProblem when the user could not sign in any more */
  unlink(userId: string, origin: RequestOrigin): Promise<void>;
}

/** What a request must remember and nobody else may know. */
interface RequestSecrets {
  readonly verifier: string;
  readonly linkTo: string | null;
}

/** What refused answers are counted as, beside the ids of providers. */
const COUNTED_AS = 'github';

export function createGitHubSignIn({
  db,
  sealer,
  http,
  publicUrl,
  client,
  canMail,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly http: Http;
  readonly publicUrl: string;
  /** The App as of now; null while there is none. */
  readonly client: () => GitHubClient | null;
  /** Whether links that sign in can be mailed. */
  readonly canMail: boolean;
  readonly now?: () => Date;
}): GitHubSignIn {
  const redirectUri = `${publicUrl}/login/github/callback`;

  return {
    isSet: () => client() !== null,

    async begin({ returnTo, linkTo, origin }) {
      const app = client();
      if (app === null) return null;
      const at = now();
      await countSignInStart(db, origin.address, at);
      const [state, verifier, browserSecret] = [newSecret(), newSecret(), newSecret()];
      const url = new URL(`${app.webUrl}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString();
      await insertSignInRequest(db, {
        hash: hashToken(state),
        kind: 'github',
        browserHash: hashToken(browserSecret),
        sealedSecrets: sealer.seal(JSON.stringify({ verifier, linkTo } satisfies RequestSecrets)),
        returnTo,
        createdAt: at,
        expiresAt: new Date(at.getTime() + REQUEST_MS),
      });
      return { url: url.href, browserSecret };
    },

    async finish({ query, browserSecrets, userId, inviteSecret, origin }) {
      let person: GitHubUser | null = null;
      try {
        const { secrets, returnTo } = await useRequest(query, browserSecrets);
        // Whoever signed in meanwhile must not get somebody else’s GitHub account.
        if (secrets.linkTo !== null && secrets.linkTo !== userId) throw new GitHubRefusal('other-user');
        const app = client();
        if (app === null) throw new GitHubRefusal('not-requested');
        const code = readCode(query);
        const token = await exchangeUserCode(http, app, { code, redirectUri, verifier: secrets.verifier });
        const found = await readGitHubUser(http, app, token);
        person = found;
        const { linkTo } = secrets;
        if (linkTo !== null) {
          await db.transaction(async (tx) => {
            const user = await loadUser(tx, linkTo);
            if (user === null) throw new GitHubRefusal('other-user');
            await linkGitHubUser(tx, user, found, origin);
          });
          await uncountSignInStart(db, origin.address, now());
          return { signIn: null, returnTo };
        }
        const isKnown = (await findIdentityUser(db, gitHubKey(found))) !== null;
        const email = isKnown ? undefined : await readVerifiedAddress(http, app, token);
        const user = await db.transaction((tx) =>
          admitGitHubUser(tx, found, { email, inviteSecret, origin }),
        );
        await uncountSignInStart(db, origin.address, now());
        const { id, displayName } = user;
        return { signIn: { userId: id, displayName, provider: 'github' }, returnTo };
      } catch (error) {
        if (!(error instanceof GitHubRefusal || error instanceof AdmissionRefused)) throw error;
        throw await refuse(error, person, origin);
      }
    },

    async findLogin(userId) {
      const identity = await findUserIdentity(db, userId, 'github');
      return identity && (identity.label ?? identity.subject);
    },

    async unlink(userId, origin) {
      await db.transaction(async (tx) => {
        const user = await lockUser(tx, userId);
        const identity = user && (await findUserIdentity(tx, userId, 'github'));
        if (!user || !identity) return;
        if (!canMail && !(await hasOtherWayIn(tx, userId, identity.id)))
          throw new AccountProblem(
            'GitHub is the only way in which you can sign in here: set a password first, then unlink it.',
          );
        await deleteUserIdentity(tx, identity.id);
        await recordAudit(tx, {
          organizationId: null,
          action: 'user.unlink-github',
          actor: { kind: 'user', id: userId, name: user.displayName, ...origin },
          target: { kind: 'user', id: userId, name: user.displayName },
          before: { gitHub: identity.label },
        });
      });
    },
  };

  async function useRequest(query: URLSearchParams, browserSecrets: readonly string[]) {
    const states = query.getAll('state');
    const request = states.length === 1 ? await findSignInRequest(db, hashToken(states[0] ?? '')) : null;
    if (request === null || request.kind !== 'github') throw new GitHubRefusal('not-requested');
    // Against being signed in as somebody else: an attacker has the answer, but not this browser's cookie.
    if (!browserSecrets.some((secret) => hashToken(secret) === request.browserHash))
      throw new GitHubRefusal('other-browser');
    if (!(await useSignInRequest(db, request.hash, now()))) throw new GitHubRefusal('request-used');
    const secrets = readSecrets(request.sealedSecrets, sealer);
    if (secrets === null) throw new GitHubRefusal('request-used');
    return { secrets, returnTo: request.returnTo ?? '/' };
  }

  /** Counts and records why nobody was signed in. Returns what the person is told. */
  async function refuse(
    error: GitHubRefusal | AdmissionRefused,
    person: GitHubUser | null,
    origin: RequestOrigin,
  ): Promise<SignInFailed> {
    const counted = { providerId: COUNTED_AS, address: origin.address };
    const recording = await countRefusal(db, error, counted, now());
    if (recording !== 'left-out')
      await recordAudit(db, {
        organizationId: null,
        action: 'session.start',
        outcome: 'refused',
        actor: { kind: 'nobody', id: null, name: person?.login ?? null, ...origin },
        ...describeRefusal(recording, error, 'github'),
      });
    const sentence =
      error instanceof AdmissionRefused
        ? error.message
        : 'GitHub did not sign you in here; try again from the sign-in page, and if that does not help, ask who runs this server.';
    return new SignInFailed(sentence, { cause: error });
  }
}

function readCode(query: URLSearchParams): string {
  const [error] = query.getAll('error');
  if (error !== undefined)
    throw new GitHubRefusal('denied', { detail: /^[a-z_]{1,60}$/.test(error) ? error : undefined });
  const [code = '', ...others] = query.getAll('code');
  if (code === '' || code.length > 512 || others.length > 0) throw new GitHubRefusal('malformed');
  return code;
}

function readSecrets(sealed: string | null, sealer: Sealer): RequestSecrets | null {
  try {
    return sealed === null ? null : (JSON.parse(sealer.unseal(sealed)) as RequestSecrets);
  } catch {
    return null;
  }
}

/** 256 bits. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
