import type { ProvisionedGroup, ProvisionedUser } from '../../store/index.ts';
import { scimSchemas } from './discovery.ts';
import type { ProvisionedProfile } from './user-draft.ts';

/** A user as their provider sees them. `active` says whether they have access, also if an administrator took it away. */
export function presentScimUser({ provisioned, member, user }: ProvisionedUser, base: string): object {
  const { displayName, name, emails } = provisioned.profile as ProvisionedProfile;
  return {
    schemas: [scimSchemas.user],
    id: user.id,
    ...(provisioned.externalId === null ? {} : { externalId: provisioned.externalId }),
    userName: provisioned.userName,
    ...(name === undefined ? {} : { name }),
    displayName: displayName ?? user.displayName,
    emails: emails ?? [{ value: user.email, type: 'work', primary: true }],
    active: member.disabledAt === null,
    meta: {
      resourceType: 'User',
      created: provisioned.createdAt.toISOString(),
      lastModified: provisioned.updatedAt.toISOString(),
      location: `${base}/Users/${user.id}`,
    },
  };
}

/** A group; without `members` where nobody asked for them. */
export function presentScimGroup(
  { team }: ProvisionedGroup,
  members: readonly { readonly userId: string; readonly userName: string }[] | null,
  base: string,
): object {
  return {
    schemas: [scimSchemas.group],
    id: team.id,
    ...(team.externalId === null ? {} : { externalId: team.externalId }),
    displayName: team.title,
    ...(members === null
      ? {}
      : {
          members: members.map(({ userId, userName }) => ({
            value: userId,
            display: userName,
            $ref: `${base}/Users/${userId}`,
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: team.createdAt.toISOString(),
      location: `${base}/Groups/${team.id}`,
    },
  };
}
