import type { User } from '../../contract/index.ts';

/** The public fields of a user. */
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
