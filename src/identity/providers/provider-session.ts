import {
  type AuditActor,
  type Database,
  type Db,
  type IdentityProviderRow,
  lockIdentityProvider,
  type RequestOrigin,
  recordAudit,
  type SignInRequestRow,
  updateIdentityProvider,
} from '../../store/index.ts';
import { beginSession, type StartedSession } from '../begin-session.ts';
import { countRefusedAdmission, countRefusedAnswer, type Recording } from '../sign-in/attempts.ts';
import { AdmissionRefused, admitUser, type ProvedIdentity } from './admit-user.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

/** A sign-in that failed, in one sentence for the person who tried. The audit log has the reason. */
export class SignInFailed extends Error {
  override readonly name: string = 'SignInFailed';
}

/** The same for somebody who links an account at a provider while signed in, and stays so. */
export class LinkFailed extends SignInFailed {
  override readonly name = 'LinkFailed';

  /** A failure of the answer to this request: that nothing was linked, where it is one to link an account. */
  static of(request: Pick<SignInRequestRow, 'linkTo'> | null, failure: SignInFailed): SignInFailed {
    return request?.linkTo == null ? failure : new LinkFailed(failure.message, { cause: failure });
  }
}

/**
 * Starts the session of somebody whom a provider has signed in, with their user and membership; from the first one on, the
 * provider counts as one that works. Null when the provider was removed, or became another, meanwhile.
 *
 * @throws AdmissionRefused
 */
export async function startProviderSession(
  tx: Db,
  provider: IdentityProviderRow,
  identity: ProvedIdentity,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
): Promise<StartedSession | null> {
  const current = await lockIdentityProvider(
    tx,
    provider.id,
    provider.status === 'active' ? 'share' : 'no key update',
  );
  if (current === null || !vouchesFor(current, provider)) return null;
  const { organizationId, kind } = current;
  const { user, isNew, isConfirmed } = await admitUser(tx, current, identity);
  const { id: sessionId, ...started } = await beginSession(
    tx,
    {
      userId: user.id,
      provider: kind,
      providerId: current.id,
      ssoOrganizationId: organizationId,
      displayName: user.displayName,
    },
    origin,
    at,
  );
  if (current.status !== 'active') await updateIdentityProvider(tx, current.id, { status: 'active' });
  if (isNew)
    await recordAudit(tx, {
      organizationId,
      action: 'user.create',
      actor: providerActor(current, origin),
      target: { kind: 'user', id: user.id, name: user.displayName },
    });
  if (isConfirmed)
    await recordAudit(tx, {
      organizationId,
      action: 'user.verify-email',
      actor: providerActor(current, origin),
      target: { kind: 'user', id: user.id, name: user.displayName },
    });
  await recordAudit(tx, {
    organizationId,
    action: 'session.start',
    actor: { kind: 'user', id: user.id, name: user.displayName, sessionId, ...origin },
    target: { kind: 'identity-provider', id: current.id, name: current.label },
    after: { provider: kind },
  });
  return started;
}

/** Whether an answer that was right for a provider as it was loaded still is: it changes while answers are checked. */
export function vouchesFor(
  current: IdentityProviderRow,
  checked: Pick<IdentityProviderRow, 'issuer' | 'clientId' | 'entityId' | 'certificates'>,
): boolean {
  return (
    current.issuer === checked.issuer &&
    current.clientId === checked.clientId &&
    current.entityId === checked.entityId &&
    // One that was removed may have signed the answer.
    checked.certificates.every((certificate) => current.certificates.includes(certificate))
  );
}

/**
 * Counts why nobody was signed in. Returns how the audit log takes it.
 *
 * @throws TooManyAttempts when too many answers from this network address were refused
 */
export async function countRefusal(
  db: Database,
  error: AdmissionRefused | SignInRefusal,
  counted: Parameters<typeof countRefusedAnswer>[1],
  at: Date,
): Promise<Recording> {
  // The provider did sign them in: they are told why they may not come in, however often.
  if (error instanceof AdmissionRefused) return await countRefusedAdmission(db, counted.providerId, at);
  return await countRefusedAnswer(db, counted, at);
}

/** What the audit log says of a refusal; of the first one that it does not take any more, only this. */
export function describeRefusal(
  recording: Exclude<Recording, 'left-out'>,
  error: AdmissionRefused | SignInRefusal,
  provider: string,
): { readonly reason: string; readonly after: Record<string, unknown> } {
  if (recording === 'first-left-out') return { reason: LEFT_OUT, after: { provider } };
  const refusal = error instanceof SignInRefusal ? { refusal: error.reason } : {};
  return { reason: error.message, after: { provider, ...refusal } };
}

const LEFT_OUT =
  'More sign-ins were refused than this log takes in an hour; further ones are not recorded until the next hour.';

/**
 * Counts and records why a provider signed nobody in. Returns what the person is told, who learns less.
 *
 * @throws TooManyAttempts when too many answers from this network address were refused
 */
export async function refuseProviderSignIn(
  db: Database,
  provider: IdentityProviderRow,
  error: AdmissionRefused | SignInRefusal,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
): Promise<SignInFailed> {
  const counted = { providerId: provider.id, address: origin.address };
  const recording = await countRefusal(db, error, counted, at);
  if (recording !== 'left-out')
    await recordAudit(db, {
      organizationId: provider.organizationId,
      action: 'session.start',
      outcome: 'refused',
      actor: providerActor(provider, origin),
      target: { kind: 'identity-provider', id: provider.id, name: provider.label },
      ...describeRefusal(recording, error, provider.kind),
    });
  return explainRefusal(provider, error);
}

/** What a person is told whom a provider did not sign in here. */
export function explainRefusal(provider: IdentityProviderRow, error: Error): SignInFailed {
  const sentence =
    error instanceof AdmissionRefused
      ? error.message
      : `${provider.label} did not sign you in here; try again from the sign-in page, and if that does not help, ask an administrator of your organization, whose audit log says why.`;
  return new SignInFailed(sentence, { cause: error });
}

export function providerActor(provider: IdentityProviderRow, origin: RequestOrigin): AuditActor {
  return { kind: 'provider', id: provider.id, name: provider.label, ...origin };
}
