import { type Db, findSpec, type OpenApiSpecRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { allows, type EffectiveRole, type OpenApiRight, openApiRights } from '../access/roles.ts';
import { ApiError, notFound } from '../api/api-error.ts';

export interface SpecParams {
  readonly organizationId: string;
  readonly specSlug: string;
}

/** The specification, where the caller has this right; 404 when they may not see it. A public one is there for everybody. */
export async function requireSpec(
  db: Db,
  caller: Caller,
  { organizationId, specSlug }: SpecParams,
  right: OpenApiRight,
): Promise<{ readonly spec: OpenApiSpecRow; readonly effectiveRole: EffectiveRole }> {
  const effectiveRole = caller.roleIn(organizationId);
  const spec = await findSpec(db, organizationId, specSlug);
  const isVisible =
    spec !== null && (spec.visibility === 'public' || allows(effectiveRole, openApiRights.view));
  if (!isVisible) throw notFound('OpenAPI specification with this slug in this organization');
  if (right === 'edit' && !allows(effectiveRole, openApiRights.edit)) {
    throw new ApiError(
      'role-too-low',
      `Your role in this organization is ${effectiveRole}, and this takes the role ${openApiRights.edit}.`,
    );
  }
  return { spec, effectiveRole };
}
