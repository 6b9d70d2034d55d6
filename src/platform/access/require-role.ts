import { ApiError } from '../api/api-error.ts';
import { allows, type EffectiveRole } from './roles.ts';

/** Throws a 403 that names both roles if the caller's effective role does not include the needed one. */
export function requireRole(
  effectiveRole: EffectiveRole,
  needed: EffectiveRole,
  where: 'organization' | 'collection' | 'space',
): void {
  if (allows(effectiveRole, needed)) return;
  throw new ApiError(
    'role-too-low',
    `Your role in this ${where} is ${effectiveRole}, and this requires the role ${needed}.`,
  );
}
