import {
  type Db,
  hasActiveProvider,
  hasIdentityIn,
  hasOtherAdmin,
  hasPassedSso,
  hasRecoveryCodes,
  type MemberView,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { Caller } from './caller.ts';

/**
 * Single sign-on alone must leave the caller a way in: they passed it, or have recovery codes for when it fails. Call it
 * with the organization locked.
 *
 * @throws {ApiError}
 */
export async function requireWayIn(tx: Db, caller: Caller, organizationId: string): Promise<void> {
  await requireProvider(tx, organizationId);
  const { sessionId, tokenId, id } = caller.actor;
  if (await hasPassedSso(tx, { organizationId, sessionId: sessionId ?? null, tokenId: tokenId ?? null }))
    return;
  if (await hasRecoveryCodes(tx, organizationId, id ?? '')) return;
  throw new ApiError(
    'sso-not-ready',
    'You would lock yourself out: sign in through a provider of this organization first, or make recovery codes.',
  );
}

/** The same for a member who is to sign in by single sign-on alone, where that is the caller or the last administrator. */
export async function requireWayInOf(
  tx: Db,
  caller: Caller,
  { member: { organizationId, userId, role, disabledAt } }: MemberView,
): Promise<void> {
  if (userId === caller.user.id) return await requireWayIn(tx, caller, organizationId);
  await requireProvider(tx, organizationId);
  if (role !== 'admin' || disabledAt !== null) return;
  if (await hasOtherAdmin(tx, organizationId, userId)) return;
  if (await hasIdentityIn(tx, organizationId, userId)) return;
  if (await hasRecoveryCodes(tx, organizationId, userId)) return;
  throw new ApiError(
    'sso-not-ready',
    'The last administrator would be locked out: they must sign in through a provider of this organization first, or make recovery codes.',
  );
}

async function requireProvider(tx: Db, organizationId: string): Promise<void> {
  if (await hasActiveProvider(tx, organizationId)) return;
  throw new ApiError(
    'sso-not-ready',
    'No provider of this organization has signed anybody in yet: test one before only single sign-on is taken.',
  );
}
