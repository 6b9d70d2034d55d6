import type { Role, UserPermission } from '../../contract/index.ts';
import type { UserRow } from '../../store/index.ts';
import { presentUser } from '../organizations/present-user.ts';

/** A role that a member has somewhere. */
export function presentUserGrant(permission: Role, user: UserRow, publicUrl: string): UserPermission {
  return { permission, user: presentUser(user, publicUrl) };
}
