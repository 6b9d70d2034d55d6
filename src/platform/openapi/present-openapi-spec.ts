import type { OpenAPISpec, OpenAPISpecVersion } from '../../contract/index.ts';
import type { OpenApiError, OpenApiSpecRow, OpenApiVersionRow } from '../../store/index.ts';
import { type EffectiveRole, openApiRights, permissionsOf } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import { unsealSource } from './spec-source.ts';

/** The public fields of a specification. The full address, which may contain secrets, is only for those who may edit. */
export function presentOpenAPISpec(
  row: OpenApiSpecRow,
  effectiveRole: EffectiveRole,
  { publicUrl, sealer }: Pick<PlatformDeps, 'publicUrl' | 'sealer'>,
): OpenAPISpec {
  const location = locationOf(row, publicUrl);
  const permissions = { ...permissionsOf(openApiRights, effectiveRole), view: true };
  const sourceURL =
    permissions.edit && row.sealedSource !== null
      ? unsealSource(row.sealedSource, sealer).url
      : row.sourceUrl;
  const errors = row.lastErrors as readonly OpenApiError[];
  return {
    object: 'openapi-spec',
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    slug: row.slug,
    processingState: row.state as OpenAPISpec['processingState'],
    visibility: row.visibility as NonNullable<OpenAPISpec['visibility']>,
    permissions,
    urls: {
      location,
      app: `${publicUrl}/orgs/${row.organizationId}/specs/${row.slug}`,
      ...(row.visibility === 'public' && row.lastVersionId !== null
        ? { published: `${location}/versions/latest/document` }
        : {}),
    },
    ...(sourceURL === null ? {} : { sourceURL }),
    ...(row.lastVersionId === null ? {} : { lastVersion: row.lastVersionId }),
    ...(row.lastProcessedAt === null ? {} : { lastProcessedAt: row.lastProcessedAt.toISOString() }),
    ...(row.lastErrorCode === null
      ? {}
      : {
          lastProcessErrorCode: row.lastErrorCode as NonNullable<OpenAPISpec['lastProcessErrorCode']>,
          lastProcessedErrors: errors.map((error) => ({ ...error })),
        }),
  };
}

export function presentVersion(
  row: OpenApiVersionRow,
  spec: OpenApiSpecRow,
  publicUrl: string,
): OpenAPISpecVersion {
  const location = `${locationOf(spec, publicUrl)}/versions/${row.id}`;
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    url: documentAddress(spec, row.id, publicUrl),
    urls: { location },
  };
}

/** The URL at which a version is read as one document. */
export function documentAddress(spec: OpenApiSpecRow, versionId: string, publicUrl: string): string {
  return `${locationOf(spec, publicUrl)}/versions/${versionId}/document`;
}

function locationOf({ organizationId, slug }: OpenApiSpecRow, publicUrl: string): string {
  return `${publicUrl}/v1/orgs/${organizationId}/openapi/${slug}`;
}
