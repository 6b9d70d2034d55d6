import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { members, organizations } from './schema/platform.ts';

/** A membership that gives access, and whether that has to wait for the organization's single sign-on. */
export interface OpenMembership {
  readonly organizationId: string;
  /** Null for a guest. */
  readonly role: string | null;
  /** Whether the organization takes only its own single sign-on, which these credentials have not passed. */
  readonly needsSso: boolean;
}

/**
 * The memberships of a user that are not disabled, as JSON. `passed` is the organization whose single sign-on the
 * credentials passed, and `isServer` says whether they are the operator's, which need none.
 */
export function openMemberships(
  userId: AnyColumn,
  { passed, isServer }: { readonly passed: AnyColumn; readonly isServer: SQL },
): SQL<readonly OpenMembership[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('organizationId', ${members.organizationId}, 'role', ${members.role},
      'needsSso', (${organizations.sso} or ${members.sso}) and not (${isServer})
        and ${passed} is distinct from ${members.organizationId})), '[]')
    from ${members} join ${organizations} on ${organizations.id} = ${members.organizationId}
    where ${members.userId} = ${userId} and ${members.disabledAt} is null)`;
}
