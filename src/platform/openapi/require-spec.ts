import { type Db, findSpec, type OpenApiSpecRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { accessOf, requireNeeded, sees } from '../access/require-role.ts';
import { allows, type EffectiveRole, type OpenApiRight, openApiRights } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';

export interface SpecParams {
  readonly organizationId: string;
  readonly specSlug: string;
}

/** Whether somebody with this role in the organization may read a specification. */
export function maySeeSpec({ visibility }: Pick<OpenApiSpecRow, 'visibility'>, role: EffectiveRole): boolean {
  return visibility === 'public' || allows(role, openApiRights.view);
}

/** Returns the specification if the caller has this right; throws a 404 if they may not see it. Everybody sees a public one. */
export async function requireSpec(
  db: Db,
  caller: Caller,
  { organizationId, specSlug }: SpecParams,
  right: OpenApiRight,
): Promise<{ readonly spec: OpenApiSpecRow; readonly effectiveRole: EffectiveRole }> {
  const access = accessOf(caller, organizationId);
  const spec = await findSpec(db, organizationId, specSlug);
  if (spec === null || !(spec.visibility === 'public' || sees(access, openApiRights.view)))
    throw notFound('OpenAPI specification with this slug in this organization');
  if (right === 'edit') requireNeeded(access, openApiRights.edit, 'organization');
  return { spec, effectiveRole: access.role };
}
