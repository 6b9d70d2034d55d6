import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { changeRequests } from './schema/content.ts';
import { conversations, issueClusters } from './schema/conversations.ts';
import { openapiSpecs } from './schema/openapi.ts';
import { teams } from './schema/people.ts';
import { collections, members, spaces, users } from './schema/platform.ts';
import { sites } from './schema/sites.ts';
import { isSelected, type SpaceSelection } from './space-selection.ts';
import { textRows } from './text-rows.ts';

/** What somebody may see of an organization; null where that is everything. */
export interface NameScope {
  readonly spaces: SpaceSelection | null;
  /** Spaces whose change requests they may see. */
  readonly accessibleSpaces: SpaceSelection | null;
  /** Ids, as of sites. */
  readonly collections: readonly string[] | null;
  readonly sites: readonly string[] | null;
  /** Whether only public specifications. */
  readonly publicSpecsOnly: boolean;
  readonly members: boolean;
  readonly teams: boolean;
  readonly conversations: boolean;
}

export interface NamedRow {
  readonly kind: NamedKind;
  /** Of a specification its slug, of a repository its name. */
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  /** Of a change request: its space and its number there. */
  readonly spaceId: string | null;
  readonly number: number | null;
}

export type NamedKind =
  | 'space'
  | 'collection'
  | 'change-request'
  | 'site'
  | 'openapi-spec'
  | 'repository'
  | 'member'
  | 'team'
  | 'conversation'
  | 'conversations-cluster';

interface Source {
  readonly kind: NamedKind;
  readonly from: SQL;
  readonly where: SQL;
  /** What is shown, and what has to have the words. */
  readonly title: SQL;
  readonly text: SQL;
  readonly id: SQL;
  readonly detail?: SQL;
  readonly space?: SQL;
  readonly number?: SQL;
  /** Of matches that are equally good. */
  readonly order?: SQL;
}

/** Up to `limit` things of each kind whose name has all of the words, in one query; the best first. */
export async function findByName(
  db: Db,
  organizationId: string,
  words: readonly string[],
  { scope, limit }: { readonly scope: NameScope; readonly limit: number },
): Promise<readonly NamedRow[]> {
  const [first] = words;
  if (first === undefined) return [];
  const parts = sourcesOf(organizationId, scope).map((source) => {
    const { kind, from, where, title, text, id, detail, space, number, order } = source;
    const matching = words.map((word) => sql`strpos(lower(${text}), ${lowered(word)}) > 0`);
    return sql`(select ${kind}::text as kind, ${id} as id, ${title} as title, ${detail ?? sql`null`}::text as detail,
        ${space ?? sql`null`}::text as space_id, ${number ?? sql`null`}::int as number
      from ${from} where ${where} and ${sql.join(matching, sql` and `)}
      order by (strpos(lower(${title}), ${lowered(first)}) = 1) desc, ${order ?? sql`length(${title}), ${title}`}, ${id}
      limit ${limit})`;
  });
  const { rows } = await db.execute<{
    kind: NamedKind;
    id: string;
    title: string;
    detail: string | null;
    space_id: string | null;
    number: number | null;
  }>(sql.join(parts, sql` union all `));
  return rows.map(({ kind, id, title, detail, space_id: spaceId, number }) => ({
    kind,
    id,
    title,
    detail,
    spaceId,
    number,
  }));
}

/** A word in lower case: as a subquery it is computed once, not for each row. */
function lowered(word: string): SQL {
  return sql`(select lower(${word}))`;
}

/** Where each kind is looked for, as far as somebody may see it. */
function sourcesOf(organizationId: string, scope: NameScope): readonly Source[] {
  const within = (column: SQL, ids: readonly string[] | null) =>
    ids === null ? sql`true` : sql`${column} in ${textRows(ids)}`;
  const among = (selection: SpaceSelection | null) => isSelected(selection) ?? sql`true`;
  const repository = sql`${spaces.gitSync}->>'repoName'`;
  const live = sql`${spaces.organizationId} = ${organizationId} and ${spaces.deletedAt} is null`;
  return [
    {
      kind: 'space',
      from: sql`${spaces}`,
      where: sql`${live} and ${among(scope.spaces)}`,
      id: sql`${spaces.id}`,
      title: sql`${spaces.title}`,
      text: sql`${spaces.title}`,
      detail: repository,
    },
    {
      kind: 'collection',
      from: sql`${collections}`,
      where: sql`${collections.organizationId} = ${organizationId} and ${within(sql`${collections.id}`, scope.collections)}`,
      id: sql`${collections.id}`,
      title: sql`${collections.title}`,
      text: sql`${collections.title}`,
    },
    {
      kind: 'change-request',
      from: sql`${changeRequests} join ${spaces} on ${spaces.id} = ${changeRequests.spaceId}`,
      where: sql`${live} and ${among(scope.accessibleSpaces)}`,
      id: sql`${changeRequests.id}`,
      title: sql`${changeRequests.subject}`,
      text: sql`'#' || ${changeRequests.number} || ' ' || ${changeRequests.subject}`,
      detail: sql`${spaces.title}`,
      space: sql`${spaces.id}`,
      number: sql`${changeRequests.number}`,
      order: sql`(${changeRequests.status} in ('open', 'draft')) desc, ${changeRequests.updatedAt} desc`,
    },
    {
      kind: 'site',
      from: sql`${sites}`,
      where: sql`${sites.organizationId} = ${organizationId} and ${within(sql`${sites.id}`, scope.sites)}`,
      id: sql`${sites.id}`,
      title: sql`${sites.title}`,
      text: sql`${sites.title}`,
    },
    {
      kind: 'openapi-spec',
      from: sql`${openapiSpecs}`,
      where: sql`${openapiSpecs.organizationId} = ${organizationId} and ${scope.publicSpecsOnly ? sql`${openapiSpecs.visibility} = 'public'` : sql`true`}`,
      id: sql`${openapiSpecs.slug}`,
      title: sql`${openapiSpecs.slug}`,
      text: sql`${openapiSpecs.slug}`,
    },
    {
      kind: 'repository',
      from: sql`(select distinct ${repository} as name from ${spaces}
        where ${live} and ${repository} is not null and ${among(scope.accessibleSpaces)}) as repository`,
      where: sql`true`,
      id: sql`repository.name`,
      title: sql`repository.name`,
      text: sql`repository.name`,
    },
    ...(scope.members ? [memberSource(organizationId)] : []),
    ...(scope.teams
      ? [
          {
            kind: 'team' as const,
            from: sql`${teams}`,
            where: sql`${teams.organizationId} = ${organizationId}`,
            id: sql`${teams.id}`,
            title: sql`${teams.title}`,
            text: sql`${teams.title}`,
          },
        ]
      : []),
    ...(scope.conversations ? conversationSources(organizationId) : []),
  ];
}

function memberSource(organizationId: string): Source {
  return {
    kind: 'member',
    from: sql`${members} join ${users} on ${users.id} = ${members.userId}`,
    where: sql`${members.organizationId} = ${organizationId}`,
    id: sql`${users.id}`,
    title: sql`${users.displayName}`,
    text: sql`${users.displayName} || ' ' || ${users.email}`,
    detail: sql`${users.email}`,
  };
}

function conversationSources(organizationId: string): readonly Source[] {
  return [
    {
      kind: 'conversation',
      from: sql`${conversations}`,
      where: sql`${conversations.organizationId} = ${organizationId} and ${conversations.subject} is not null`,
      id: sql`${conversations.id}`,
      title: sql`${conversations.subject}`,
      text: sql`${conversations.subject}`,
      detail: sql`${conversations.source}`,
      order: sql`${conversations.createdAt} desc`,
    },
    {
      kind: 'conversations-cluster',
      from: sql`${issueClusters}`,
      where: sql`${issueClusters.organizationId} = ${organizationId}`,
      id: sql`${issueClusters.id}`,
      title: sql`${issueClusters.label}`,
      text: sql`${issueClusters.label}`,
    },
  ];
}
