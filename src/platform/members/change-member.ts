import {
  type Db,
  hasOtherAdmin,
  loadMember,
  lockOrganization,
  removeMember,
  setMemberRole,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** Sets a member's role; null makes them a guest. Throws a 409 for the last administrator. */
export async function changeRole(
  { db }: Pick<PlatformDeps, 'db'>,
  key: MemberKey,
  role: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (role !== 'admin') await requireOtherAdmin(tx, key);
    await setMemberRole(tx, key.organizationId, key.userId, role);
  });
}

/** Removes a member; their tokens no longer give access to the organization. Throws a 409 for the last administrator. */
export async function dismissMember({ db }: Pick<PlatformDeps, 'db'>, key: MemberKey): Promise<void> {
  await db.transaction(async (tx) => {
    await requireOtherAdmin(tx, key);
    await removeMember(tx, key.organizationId, key.userId);
  });
}

/** Without an administrator, nobody could ever appoint one. */
async function requireOtherAdmin(tx: Db, { organizationId, userId }: MemberKey): Promise<void> {
  await lockOrganization(tx, organizationId);
  const found = await loadMember(tx, organizationId, userId);
  const isAdmin = found?.member.role === 'admin' && found.member.disabledAt === null;
  if (isAdmin && !(await hasOtherAdmin(tx, organizationId, userId))) {
    throw new ApiError(
      'last-administrator',
      'This is the last administrator of the organization; make another member an administrator first.',
    );
  }
}
