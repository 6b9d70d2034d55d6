import Type from 'typebox';
import type { AnswerOf, Operations, ReferenceResource } from '../../contract/index.ts';
import { type Db, listSpecUses, loadSearchScopes, type SpaceScope, type SpecUse } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import { requireSpec, type SpecParams } from './require-spec.ts';

const Key = Type.Tuple([Type.String({ maxLength: 64 }), Type.String(), Type.Integer({ minimum: 0 })]);

/** The locations that show a specification, in the spaces that the caller may see. */
export async function readSpecBacklinks(
  db: Db,
  {
    caller,
    params,
    query,
  }: { readonly caller: Caller; readonly params: SpecParams; readonly query: PagingQuery },
): Promise<AnswerOf<Operations['listOpenAPISpecBacklinks']>> {
  const { spec } = await requireSpec(db, caller, params, 'view');
  const { organizationId } = spec;
  const list = `backlinks of ${spec.id}`;
  const key = readCursor(list, Key, query);
  const limit = limitOf(query);
  const accessMap = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
  const scopes = await loadSearchScopes(db, organizationId, await accessMap.visibleSpaces());
  const names = [spec.slug, ...(spec.sourceUrl === null ? [] : [spec.sourceUrl])];
  const after = key === null ? null : { spaceId: key[0], gitPath: key[1], ordinal: key[2] };
  const found = await listSpecUses(db, scopes, names, { after, limit: limit + 1 });
  const bySpace = new Map(scopes.map((scope) => [scope.spaceId, scope]));
  return toList(found, {
    list,
    limit,
    keyOf: (use) => [use.spaceId, use.gitPath, use.ordinal],
    present: (use) => present(use, bySpace.get(use.spaceId) as SpaceScope, organizationId),
  });
}

function present(
  { pageId, gitPath, line, column, endLine, endColumn }: SpecUse,
  { spaceId, revisionId }: SpaceScope,
  organization: string,
): ReferenceResource {
  return {
    ...(pageId === null ? { kind: 'file' as const } : { kind: 'page' as const, page: pageId }),
    organization,
    space: spaceId,
    versionContext: { type: 'revision', revision: revisionId },
    ...(line === 0 ? {} : { position: { path: gitPath, line, column, endLine, endColumn } }),
  };
}
