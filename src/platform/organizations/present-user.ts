import type { User } from '../../contract/index.ts';
import type { Caller } from '../access/caller.ts';
import { allows, organizationRights } from '../access/roles.ts';

/** A user as `caller` sees them on something of an organization: their address is for those who list its members. */
export function presentUserTo(
  caller: Caller,
  organizationId: string,
  user: Parameters<typeof presentUser>[0],
  publicUrl: string,
): User {
  const { email, ...shown } = presentUser(user, publicUrl);
  const isShown =
    user.id === caller.user.id || allows(caller.roleIn(organizationId), organizationRights.listMembers);
  return isShown ? { ...shown, email } : shown;
}

/** The public fields of a user, with their address. */
export function presentUser(
  user: { readonly id: string; readonly displayName: string; readonly email: string },
  publicUrl: string,
): User {
  return {
    object: 'user',
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    urls: { location: `${publicUrl}/v1/users/${user.id}` },
  };
}
