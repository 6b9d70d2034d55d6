import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { type Grant, grantJson, grantsOf } from './grants-of.ts';
import { members, organizations } from './schema/platform.ts';

/** A membership that gives access, and whether that has to wait for the organization's single sign-on. */
export interface OpenMembership {
  readonly organizationId: string;
  /** Null for a guest. */
  readonly role: string | null;
  /** Whether the organization takes only its own single sign-on, which these credentials have not passed. */
  readonly needsSso: boolean;
  /** Whether it is recorded that the member was seen within the last hour. */
  readonly wasJustSeen: boolean;
  readonly granted: {
    /** In the whole organization, to the member or to one of their teams. */
    readonly everywhere: readonly Grant[];
    /** Whether anything was granted in single spaces, collections or sites. */
    readonly somewhere: boolean;
  };
}

/** Null for a member who was never seen. */
const isSeenLongAgo = sql`${members.lastSeenAt} < now() - interval '1 hour'`;

/** Condition for members of whom it is worth recording that they were seen just now. */
export const isDueToBeSeen = sql`coalesce(${isSeenLongAgo}, true)`;

/**
 * The memberships of a user that are not disabled, as JSON. `passed` is the organization whose single sign-on the
 * credentials passed, and `isServer` says whether they are the operator's, which need none.
 */
export function openMemberships(
  userId: AnyColumn,
  { passed, isServer }: { readonly passed: AnyColumn; readonly isServer: SQL },
): SQL<readonly OpenMembership[]> {
  const granted = sql`(
    select json_build_object(
      'everywhere', coalesce(json_agg(${grantJson}) filter (where not granted.in_one_place), '[]'),
      'somewhere', coalesce(bool_or(granted.in_one_place), false))
    from ${grantsOf(sql`${members.organizationId}`, sql`${members.userId}`)} granted)`;
  return sql`(
    select coalesce(json_agg(json_build_object('organizationId', ${members.organizationId}, 'role', ${members.role},
      'needsSso', (${organizations.sso} or ${members.sso}) and not (${isServer})
        and ${passed} is distinct from ${members.organizationId},
      'wasJustSeen', coalesce(not ${isSeenLongAgo}, false), 'granted', ${granted})), '[]')
    from ${members} join ${organizations} on ${organizations.id} = ${members.organizationId}
    where ${members.userId} = ${userId} and ${members.disabledAt} is null)`;
}
