import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from './caller.ts';
import { effectiveRoleAt, type Sharing } from './effective-role.ts';
import { allows, type EffectiveRole } from './roles.ts';

/** What a caller may do with something. */
export interface Access {
  readonly role: EffectiveRole;
  /** Their role once they have passed the single sign-on of its organization; the same where that is not missing. */
  readonly afterSso: EffectiveRole;
}

export const noAccess: Access = { role: 'none', afterSso: 'none' };

/** Applies the rule to what was loaded; without `sharing`, to the organization itself. */
export function accessOf(caller: Caller, organizationId: string, sharing?: Sharing): Access {
  const role = effectiveRoleAt(caller.membershipIn(organizationId), sharing);
  if (!caller.needsSso(organizationId)) return { role, afterSso: role };
  return { role, afterSso: effectiveRoleAt(caller.membershipAfterSso(organizationId), sharing) };
}

/**
 * Whether the caller sees a thing.
 *
 * @throws {ApiError} 403 if they will see it once they have passed the single sign-on
 */
export function sees(access: Access, view: EffectiveRole): boolean {
  if (allows(access.role, view)) return true;
  if (allows(access.afterSso, view)) throw ssoRequired();
  return false;
}

/**
 * Throws if the access does not include the needed role: a 404 about `name` if the caller may not see the thing, else a
 * 403.
 */
export function requireAccess(
  access: Access,
  needs: { readonly view: EffectiveRole; readonly needed: EffectiveRole },
  thing: { readonly name: string; readonly where: Where },
): void {
  if (!sees(access, needs.view)) throw notFound(thing.name);
  requireNeeded(access, needs.needed, thing.where);
}

type Where = 'organization' | 'collection' | 'space' | 'site' | 'team';

/** Throws a 403 to a caller who sees the thing but lacks the needed role. */
export function requireNeeded(access: Access, needed: EffectiveRole, where: Where): void {
  if (allows(access.role, needed)) return;
  if (access.role !== access.afterSso) throw ssoRequired();
  requireRole(access.role, needed, where);
}

/** Throws a 403 that names both roles if the caller's effective role does not include the needed one. */
export function requireRole(effectiveRole: EffectiveRole, needed: EffectiveRole, where: Where): void {
  if (allows(effectiveRole, needed)) return;
  throw new ApiError(
    'role-too-low',
    `Your role in this ${where} is ${effectiveRole}, and this requires the role ${needed}.`,
  );
}

/** The answer to a member who has not passed the single sign-on that their organization, or they, require. */
export function ssoRequired(): ApiError {
  return new ApiError(
    'sso-required',
    'This organization takes only its single sign-on: sign in there, or use a token that you created after signing in there.',
  );
}
