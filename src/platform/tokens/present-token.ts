import type { ApiToken } from '../../contract/index.ts';
import type { ApiTokenRow } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';

/** The public fields of a token; `currentId` is that of the token with which the request was made. */
export function presentToken(row: ApiTokenRow, currentId: string | null | undefined): ApiToken {
  const role = row.role === null ? null : toRole(row.role);
  return {
    object: 'api-token',
    id: row.id,
    name: row.name,
    ...(row.prefix === null ? {} : { prefix: row.prefix }),
    scope: row.scope as ApiToken['scope'],
    ...(row.organizationId === null ? {} : { organization: row.organizationId }),
    ...(role === null ? {} : { role }),
    createdAt: row.createdAt.toISOString(),
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.toISOString() }),
    expiresAt: (row.expiresAt ?? row.createdAt).toISOString(),
    current: row.id === currentId,
  };
}
