import { type FoundGroup, type FoundResource, foundKinds } from '../../contract/index.ts';
import { findByName, type NamedRow, type NameScope } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows, openApiRights, organizationRights } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';

/** Of a query; more say nothing more. */
const MAX_WORDS = 8;
const DEFAULT_LIMIT = 5;

/** What an organization has whose name has the words of a query, by kind: what the lists of these kinds show to the caller. */
export async function findInOrganization(
  { db, publicUrl }: Pick<PlatformDeps, 'db' | 'publicUrl'>,
  caller: Caller,
  wanted: { readonly organizationId: string; readonly query: string; readonly limit?: number },
): Promise<readonly FoundGroup[]> {
  const { organizationId, query, limit = DEFAULT_LIMIT } = wanted;
  const { organization, effectiveRole } = await requireOrganization(db, caller, organizationId, 'view');
  const words = query.trim().split(/\s+/u, MAX_WORDS).filter(Boolean);
  const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
  const [visible, accessible] = await Promise.all([accessMap.visibleSpaces(), accessMap.accessibleSpaces()]);
  const scope: NameScope = {
    spaces: visible,
    accessibleSpaces: accessible,
    collections: accessMap.visibleCollections(),
    sites: accessMap.visibleSites(),
    publicSpecsOnly: !allows(effectiveRole, openApiRights.view),
    members: allows(effectiveRole, organizationRights.listMembers),
    teams: allows(effectiveRole, organizationRights.listTeams),
    conversations: allows(effectiveRole, organizationRights.viewConversations),
  };
  const rows = await findByName(db, organization.id, words, { scope, limit: limit + 1 });
  const groups = Map.groupBy(rows, ({ kind }) => kind);
  return foundKinds.flatMap((kind) => {
    const found = groups.get(kind);
    if (found === undefined) return [];
    const items = found
      .slice(0, limit)
      .map((row) => presentFound(row, { organizationId: organization.id, publicUrl }));
    return [{ kind, items, more: found.length > limit }];
  });
}

function presentFound(
  row: NamedRow,
  { organizationId, publicUrl }: { readonly organizationId: string; readonly publicUrl: string },
): FoundResource {
  const { kind, id, title, detail, number } = row;
  return {
    id,
    title: kind === 'change-request' ? `#${number} ${title === '' ? 'Untitled' : title}` : title,
    ...(detail === null ? {} : { detail }),
    urls: { app: `${publicUrl}${pathOf(row, `/orgs/${organizationId}`)}` },
  };
}

/** Where the dashboard shows it. @param organization the path of its organization */
function pathOf({ kind, id, spaceId, number }: NamedRow, organization: string): string {
  const name = encodeURIComponent(id);
  switch (kind) {
    case 'space':
      return `/spaces/${name}`;
    case 'collection':
      return `/collections/${name}`;
    case 'change-request':
      return `/spaces/${spaceId}/change-requests/${number}`;
    case 'site':
      return `${organization}/sites/${name}`;
    case 'openapi-spec':
      return `${organization}/specs/${name}`;
    case 'repository':
      return `/status?find=${name}`;
    case 'member':
      return `${organization}/members/${name}`;
    case 'team':
      return `${organization}/teams/${name}`;
    case 'conversation':
      return `${organization}/conversations/all/${name}`;
    case 'conversations-cluster':
      return `${organization}/conversations/${name}`;
  }
}
