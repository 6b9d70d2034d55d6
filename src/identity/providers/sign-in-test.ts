import {
  type Database,
  deleteOldTests,
  findLatestTest,
  findOpenTest,
  type IdentityProviderRow,
  loadIdentityProvider,
  loadMember,
  loadUser,
  type RequestOrigin,
  recordAudit,
  recordTestOutcome,
  type SignInRequestRow,
} from '../../store/index.ts';
import { AdmissionRefused, admitUser, type ProvedIdentity } from './admit-user.ts';
import { dryRun } from './dry-run.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

/**
 * A sign-in in which an administrator tries a provider out: it signs nobody in and makes no account.
 *
 * @template Answer what providers of the protocol send
 */
export interface SignInTest<Answer> {
  readonly startedAt: Date;
  /** Null while the provider has not answered. */
  readonly outcome: TestOutcome<Answer> | null;
}

export interface TestOutcome<Answer> {
  /** ISO 8601. */
  readonly answeredAt: string;
  /** What the provider sent, unchecked; null for what cannot be read here. */
  readonly answer: Answer | null;
  /** Why nobody would have been signed in; null when somebody would. */
  readonly refusal: {
    readonly reason: string;
    readonly sentence: string;
    /** What to change; null where the sentence says it. */
    readonly advice: string | null;
  } | null;
  /** Who would have been signed in. */
  readonly user: TestedUser | null;
}

export interface TestedUser {
  readonly displayName: string;
  readonly email: string | null;
  /** Whether the sign-in would have made the user. */
  readonly isNew: boolean;
  /** In the organization; null for a guest. */
  readonly role: string | null;
}

/** How long a test is shown, in milliseconds. */
const SHOWN_MS = 60 * 60_000;

export async function removeOldTests(db: Database, now: Date): Promise<void> {
  await deleteOldTests(db, new Date(now.getTime() - SHOWN_MS));
}

/**
 * The test that an answer belongs to: what its state names, if this browser began it. An answer that names nothing is of the
 * browser's open test, if there is one: a provider that loses the state is what the test is for.
 */
export async function findTestOf(
  db: Database,
  provider: IdentityProviderRow,
  answer: {
    readonly request: SignInRequestRow | null;
    readonly browserHashes: readonly string[];
    readonly now: Date;
  },
): Promise<SignInRequestRow | null> {
  const { request, browserHashes, now } = answer;
  if (request === null) return await findOpenTest(db, { providerId: provider.id, browserHashes, now });
  return request.testedBy !== null && browserHashes.includes(request.browserHash) ? request : null;
}

/** What came back in a test, and what is said of it. */
export interface TestedAnswer<Reason extends string, Answer> {
  /** Whom the answer names, or why it was refused. */
  readonly result: ProvedIdentity | SignInRefusal<Reason>;
  /** What to change, for each reason to refuse an answer. */
  readonly advice: Readonly<Record<Reason, string>>;
  readonly describe: (provider: IdentityProviderRow) => Answer | null;
  readonly origin: RequestOrigin;
  readonly now: Date;
}

/** Refusals that say nothing of a test of which something came already. */
const KEEPS_OUTCOME: ReadonlySet<string> = new Set(['request-used', 'not-requested']);

/** Stores what came of a test, and records it in the audit log of the provider that it is about, wherever the answer came in. */
export async function completeTest<Reason extends string, Answer>(
  db: Database,
  test: SignInRequestRow,
  { result, advice, describe, origin, now }: TestedAnswer<Reason, Answer>,
): Promise<void> {
  // A browser that loads the page of the answer again sends the answer again; and what names no request may be anybody's.
  if (result instanceof SignInRefusal && KEEPS_OUTCOME.has(result.reason) && test.outcome !== null) return;
  const provider = await loadIdentityProvider(db, test.providerId ?? '');
  if (provider === null) return;
  const tried = result instanceof SignInRefusal ? result : await tryAdmission(db, provider, result);
  const refusal = tried instanceof Error ? tried : null;
  const outcome: TestOutcome<Answer> = {
    answeredAt: now.toISOString(),
    answer: describe(provider),
    refusal:
      refusal === null
        ? null
        : {
            reason: refusal instanceof SignInRefusal ? refusal.reason : 'admission',
            sentence: refusal.message,
            advice: refusal instanceof SignInRefusal ? advice[refusal.reason] : null,
          },
    user: tried instanceof Error ? null : tried,
  };
  await db.transaction(async (tx) => {
    await recordTestOutcome(tx, test.hash, outcome);
    const user = test.testedBy === null ? null : await loadUser(tx, test.testedBy);
    await recordAudit(tx, {
      organizationId: provider.organizationId,
      action: 'identity-provider.test',
      actor: { kind: 'user', id: test.testedBy, name: user?.displayName ?? null, ...origin },
      target: { kind: 'identity-provider', id: provider.id, name: provider.label },
      ...(refusal !== null && { outcome: 'refused', reason: refusal.message }),
      ...(refusal instanceof SignInRefusal && { after: { refusal: refusal.reason } }),
    });
  });
}

/** The last test of a provider that this user began within the last hour. */
export async function readTest<Answer>(
  db: Database,
  test: { readonly providerId: string; readonly userId: string; readonly now: Date },
): Promise<SignInTest<Answer> | null> {
  const since = new Date(test.now.getTime() - SHOWN_MS);
  const row = await findLatestTest(db, { ...test, since });
  return row && { startedAt: row.createdAt, outcome: row.outcome as TestOutcome<Answer> | null };
}

/** What a sign-in would do, by doing it and taking it back. */
async function tryAdmission(
  db: Database,
  provider: IdentityProviderRow,
  identity: ProvedIdentity,
): Promise<TestedUser | AdmissionRefused> {
  try {
    return await dryRun(db, async (tx) => {
      const { user, isNew } = await admitUser(tx, provider, identity);
      const member = await loadMember(tx, provider.organizationId, user.id);
      const { displayName, email } = user;
      return { displayName, email, isNew, role: member?.member.role ?? null };
    });
  } catch (error) {
    if (error instanceof AdmissionRefused) return error;
    throw error;
  }
}
