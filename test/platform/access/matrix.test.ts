import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type AnyOperation,
  type OperationName,
  operations,
  paramNames,
} from '../../../src/contract/index.ts';
import { newId, tables } from '../../../src/store/index.ts';
import { isWhole } from '../../support/describe-at-length.ts';
import type { ApiAnswer } from '../api-caller.ts';
import { createMember } from '../create-member.ts';
import { fillWorlds, type Ids, MARK, type World } from '../fill-world.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

interface Row {
  readonly needs: string;
  readonly body?: unknown;
  readonly query?: string;
  readonly fresh?: keyof typeof makers;
  readonly deleted?: '+';
  readonly record?: 'none';
}

/** What an operation is called about: an object of the callers' organization, of another one, or a deleted one. */
type About = (typeof ABOUTS)[number];
const ABOUTS = ['own', 'foreign', 'deleted'] as const;

interface TestCaller {
  readonly name: string;
  /** Null: none. */
  readonly token: string | null;
  /** Their role in their organization; `none` for those whose membership counts for nothing. */
  readonly role: string;
  readonly isKnown: boolean;
  readonly sso?: true;
  /** Calls about a public space. */
  readonly visits?: true;
  readonly shareKey?: true;
  readonly administers?: 'foreign';
  readonly limit?: string;
}

const file = new URL('../../../fixtures/platform/matrix.yaml', import.meta.url);
const table = parse(readFileSync(file, 'utf8')) as Record<string, Row>;

/** From the lowest role to the highest, written down anew here: the test takes nothing from what it tests. */
const order = ['none', 'guest', 'visitor', 'read', 'comment', 'edit', 'review', 'create', 'admin'];
const includes = (role: string, needed: string) => order.indexOf(role) >= order.indexOf(needed);
/** The lowest role that sees a thing of each kind. */
const visibleFrom: Record<string, string> = {
  organization: 'guest',
  space: 'visitor',
  collection: 'read',
  team: 'read',
  site: 'read',
  member: 'read',
  login: 'guest',
  spec: 'read',
  translation: 'read',
};

const triesAll = isWhole(
  'every caller of the access matrix, also about another organization, and every operation on what was deleted',
);

/** The first row of each method, needed role and object. */
const firstOfKind = new Set(
  Map.groupBy(Object.entries(table), ([name, { needs }]) => {
    const operation: AnyOperation | undefined = operations[name as OperationName];
    const object = paramNames(operation?.path ?? '').find((param) => param !== 'organizationId');
    return [operation?.method, needs.split(' ')[0], object].join(' ');
  })
    .values()
    .map(([first]) => first?.[1]),
);

let platform: TestPlatform;
let worlds: ReturnType<typeof fillWorlds>;
let own: World;
let foreign: World;
let callers: readonly TestCaller[];
let publicIds: Ids;
let deletedIds: Ids;
let calls = 0;
/** Whether a call of an operation that changes something left a record in the audit log. */
const recorded = new Map<OperationName, boolean>();

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  worlds = fillWorlds(platform);
  own = await worlds.fillWorld(platform.organizationId, platform.token);
  const stranger = await createMember(platform, `${MARK} other`, {});
  const other = await platform.api('POST', '/orgs', {
    token: stranger.token,
    body: { title: `${MARK} elsewhere` },
  });
  foreign = await worlds.fillWorld(other.body.id, stranger.token);
  publicIds = { ...own.ids, ...(await worlds.fillSpace(own.organizationId, own.token)) };
  await platform.api('PATCH', `/spaces/${publicIds['spaceId']}`, { body: { visibility: 'public' } });
  callers = await createCallers(stranger.token);
  deletedIds = await makeDeleted();
});
afterAll(() => platform.close());

it('has a row for each operation', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(operations).toSorted());
});

it.each(Object.entries(table))('%s', async (name, row) => {
  const operation: AnyOperation | undefined = operations[name as OperationName];
  if (operation === undefined) throw new Error(`There is no operation ${name}: rename or remove its row.`);
  if (row.fresh !== undefined && makers[row.fresh] === undefined)
    throw new Error(`\`fresh: ${row.fresh}\` needs a function of this name in \`makers\`, in this file.`);
  const expected: string[] = [];
  const received: string[] = [];
  for (const about of ABOUTS) {
    const tried = callersOf(operation, row, about);
    const tryOne = async (caller: TestCaller) => {
      const wanted = expectedFor(operation, row, caller, about);
      const isAllowed = wanted.includes('+');
      const isChange = about === 'own' && isAllowed && operation.method !== 'GET';
      const answer = await call(operation, row, caller, {
        about,
        isAllowed,
        onRecords: (count) => {
          const known = recorded.get(name as OperationName) ?? false;
          if (isChange) recorded.set(name as OperationName, known || count > 0);
        },
      });
      const status = summarize(answer);
      const line = `${about} · ${caller.name}: `;
      expected.push(line + wanted.join(' or '));
      const isRight = wanted.includes(status) || (isAllowed && status === '204');
      received.push(line + (isRight ? wanted.join(' or ') : status));
      if ([401, 403, 404].includes(answer.status))
        expect(JSON.stringify(answer.body), `${line}the refusal names the object`).not.toContain(MARK);
    };
    // Refused calls and reads disturb nobody; those that change something take turns.
    const changes = (caller: TestCaller) =>
      operation.method !== 'GET' && expectedFor(operation, row, caller, about).includes('+');
    await Promise.all(tried.filter((caller) => !changes(caller)).map(tryOne));
    for (const caller of tried.filter(changes)) await tryOne(caller);
  }
  expect(received.toSorted()).toEqual(expected.toSorted());
  const isRecorded = recorded.get(name as OperationName);
  if (isRecorded !== undefined) expect(isRecorded, 'is in the audit log').toBe(row.record !== 'none');
});

it('was not changed by callers who may not, and tried every operation', async () => {
  for (const { ids, token } of [own, foreign]) {
    const space = await platform.api('GET', `/spaces/${ids['spaceId']}`, { token });
    expect(space.body.title).toContain(MARK);
  }
  const tried = Object.entries(table).flatMap(([name, row]) =>
    ABOUTS.flatMap((about) => callersOf(operations[name as OperationName], row, about)),
  );
  expect(calls).toBe(tried.length);
});

/**
 * Without CI, those for whom the role of an operation that changes something is just enough, and those for whom the role
 * is one too low, and nobody, where nobody may be let in; for the first operation of each method on each kind of object
 * also those of another organization, nobody, and of what was deleted, those with the role.
 */
function callersOf({ open, method }: AnyOperation, row: Row, about: About): readonly TestCaller[] {
  const { needs } = row;
  if (triesAll) return callers;
  const [kind, needed = ''] = needs.split(' ');
  const names: Readonly<Record<About, readonly (string | undefined)[]>> = {
    own: [
      ...(firstOfKind.has(row) || method !== 'GET' ? [needed] : []),
      order[order.indexOf(needed) - 1],
      ...(firstOfKind.has(row) ? ['other organization', 'no token'] : open ? ['no token'] : []),
    ],
    foreign: [],
    deleted: firstOfKind.has(row) ? [needed] : [],
  };
  const isLimited = ({ limit }: TestCaller) => kind === 'token' && about === 'own' && limit !== undefined;
  return callers.filter((caller) => names[about].includes(caller.name) || isLimited(caller));
}

/** The answers that the rule allows: a status, `403 sso-required`, or `+` for one that is not a refusal. */
function expectedFor(operation: AnyOperation, row: Row, caller: TestCaller, about: About): readonly string[] {
  const [kind = '', needed = 'none'] = row.needs.split(' ');
  if (kind === 'open') return ['+'];
  // Open operations take a request without a token as one of a stranger.
  if (!caller.isKnown && !(operation.open && caller.token === null)) return ['401'];
  if (kind === 'more') return ['404'];
  if (kind === 'token') return includes(caller.limit ?? 'admin', needed) ? ['+'] : ['403'];
  const params = paramNames(operation.path);
  const object = params.find((param) => param !== 'organizationId');
  const isLeafDelete = operation.method === 'DELETE' && operation.path.endsWith(`:${object}`);
  const view = visibleFrom[kind];
  if (view === undefined) throw new Error(`${row.needs}: unknown kind ${kind}`);
  const role = roleOf(caller, kind, about, object);
  const afterSso = caller.sso && role === 'none' && about !== 'foreign' ? 'admin' : role;
  const hidden = isLeafDelete && hidesDeletes(kind, role) ? '204' : '404';
  if (about === 'deleted' && object === undefined) return ['404'];
  if (!includes(role, view)) {
    if (!includes(afterSso, view)) return [hidden];
    // What is not there any more is not said to be behind the single sign-on, where its organization is not named.
    return about === 'deleted' ? ['403 sso-required', hidden] : ['403 sso-required'];
  }
  if (about === 'deleted') {
    const gone = isLeafDelete ? '204' : '404';
    if (includes(role, needed)) return [row.deleted ?? gone];
    return ['403', gone];
  }
  return includes(role, needed) ? ['+'] : ['403'];
}

function roleOf(caller: TestCaller, kind: string, about: About, object: string | undefined): string {
  if (about === 'foreign') return caller.administers === 'foreign' ? 'admin' : 'none';
  if (kind === 'login' && caller.sso) return 'admin';
  if (caller.visits) return kind === 'space' && object === 'spaceId' && about === 'own' ? 'visitor' : 'none';
  return caller.role;
}

/** Whether a DELETE of what the caller cannot see answers 204: everywhere but in an organization that they cannot see. */
function hidesDeletes(kind: string, role: string): boolean {
  return kind === 'space' || kind === 'collection' || role !== 'none';
}

function summarize({ status, body }: ApiAnswer): string {
  if (status === 403) return body.error.reason === 'sso-required' ? '403 sso-required' : '403';
  return [401, 404].includes(status) || status >= 500 ? String(status) : status === 204 ? '204' : '+';
}

async function call(
  operation: AnyOperation,
  row: Row,
  caller: TestCaller,
  {
    about,
    isAllowed,
    onRecords,
  }: {
    readonly about: About;
    readonly isAllowed: boolean;
    /** Called with the number of records that the call itself left, if it was allowed and valid. */
    readonly onRecords: (count: number) => void;
  },
): Promise<ApiAnswer> {
  calls += 1;
  const world = about === 'foreign' ? foreign : own;
  const known = about === 'own' && caller.visits ? publicIds : world.ids;
  const makeFresh = row.fresh === undefined || !isAllowed ? undefined : makers[row.fresh];
  const ids = { ...known, ...(await makeFresh?.(world)) };
  const gone = about === 'deleted' && !(makeFresh && isAllowed) ? missing(operation) : {};
  const path = fill(operation.path.replaceAll(/:([A-Za-z]+)/g, '$$$1'), { ...ids, ...gone });
  const text = row.body === undefined ? undefined : fill(JSON.stringify(row.body), ids);
  const takesKey = 'shareKey' in ((operation.query as { properties?: object }).properties ?? {});
  const query = [
    ...(row.query === undefined ? [] : [fill(row.query, ids)]),
    ...(caller.shareKey && takesKey ? ['shareKey=abc'] : []),
  ].join('&');
  const before = isAllowed ? await countRecords() : 0;
  const answer = await platform.api(operation.method, query === '' ? path : `${path}?${query}`, {
    token: caller.token,
    ...(text === undefined ? {} : { body: text }),
  });
  if (isAllowed && answer.status < 300) onRecords((await countRecords()) - before);
  return answer;
}

async function countRecords(): Promise<number> {
  return await platform.deps.db.$count(tables.auditEvents, eq(tables.auditEvents.outcome, 'success'));
}

/** The object of an operation, as one that was deleted: what its path names first below the organization. */
function missing(operation: AnyOperation): Ids {
  const params = paramNames(operation.path);
  const object = params.find((param) => param !== 'organizationId') ?? 'organizationId';
  if (!params.includes(object)) return {};
  // Some operations make what is not there, so each has a name of its own.
  const name = `gone-${operation.id}`.toLowerCase();
  const named: Ids = { specSlug: name, emailDomain: `${name}.invalid` };
  return { [object]: named[object] ?? deletedIds[object] ?? 'z'.repeat(20) };
}

async function createCallers(otherToken: string): Promise<readonly TestCaller[]> {
  const { db } = platform.deps;
  const member = async (name: string, options: { role?: string | null; limit?: string }) =>
    await createMember(platform, `${MARK} ${name}`, options);
  const set = async (userId: string, column: string) =>
    await db.execute(sql`update ${tables.members} set ${sql.raw(column)} where user_id = ${userId}`);
  const disabled = await member('disabled', { role: 'admin' });
  await set(disabled.userId, 'disabled_at = now()');
  const lacking = await member('without single sign-on', { role: 'admin' });
  await set(lacking.userId, 'sso = true');
  const isKnown = true;
  const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'];
  const { token: capped } = await member('capped', { role: 'admin', limit: 'read' });
  const { token: guest } = await member('guest', { role: null });
  return [
    { name: 'no token', token: null, role: 'none', isKnown: false },
    { name: 'bad token', token: `dl_${'x'.repeat(43)}`, role: 'none', isKnown: false },
    { name: 'other organization', token: otherToken, role: 'none', isKnown, administers: 'foreign' },
    { name: 'guest', token: guest, role: 'guest', isKnown },
    { name: 'visitor', token: (await member('visitor', {})).token, role: 'none', isKnown, visits: true },
    ...(await Promise.all(
      roles.map(async (role) => ({ name: role, token: (await member(role, { role })).token, role, isKnown })),
    )),
    { name: 'disabled', token: disabled.token, role: 'none', isKnown },
    { name: 'without single sign-on', token: lacking.token, role: 'none', isKnown, sso: true },
    { name: 'capped token', token: capped, role: 'read', limit: 'read', isKnown },
    { name: 'share key', token: null, role: 'none', isKnown: false, shareKey: true },
    {
      name: 'stranger with a share key',
      token: (await member('sharing', {})).token,
      role: 'none',
      isKnown,
      shareKey: true,
    },
  ];
}

/** By the value of `fresh`: makes what one call will change, and returns its ids. */
const makers = {
  space: async ({ organizationId, token }: World) => ({
    spaceId: await worlds.createSpace(organizationId, token),
  }),
  deletedSpace: async ({ organizationId, token }: World) => {
    const spaceId = await worlds.createSpace(organizationId, token);
    await platform.api('DELETE', `/spaces/${spaceId}`, { token });
    return { spaceId };
  },
  collection: async ({ organizationId, token }: World) => ({
    collectionId: await worlds.createCollection(organizationId, token),
  }),
  member: async ({ organizationId }: World) => ({ userId: await worlds.createSubject(organizationId) }),
  team: async ({ organizationId, token }: World) => ({
    teamId: await worlds.createTeam(organizationId, token),
  }),
  samlProvider: async ({ organizationId, token }: World) => ({
    samlProviderId: await worlds.createSamlProvider(organizationId, token),
  }),
  oidcProvider: async ({ organizationId, token }: World) => ({
    oidcProviderId: await worlds.createOidcProvider(organizationId, token),
  }),
  mailInvite: async ({ organizationId, token }: World) => {
    const body = { emails: [`${newId()}@example.com`], role: 'read' };
    const { invites } = (await platform.api('POST', `/orgs/${organizationId}/invites`, { token, body })).body;
    return { inviteId: invites[0].id as string };
  },
  linkInvite: async ({ organizationId, token }: World) => {
    await platform.api('PATCH', `/orgs/${organizationId}`, { token, body: { inviteLinks: true } });
    const path = `/orgs/${organizationId}/link-invites`;
    return { inviteId: (await platform.api('POST', path, { token, body: { role: 'read' } })).body.id };
  },
  spec: async ({ organizationId }: World) => await worlds.createSpec(organizationId),
  translation: async ({ organizationId, token, ids }: World) => ({
    translationId: await worlds.createTranslation(organizationId, token, ids['spaceId'] ?? ''),
  }),
  site: async ({ organizationId, token, ids }: World) =>
    await worlds.createSite(organizationId, token, ids['spaceId'] ?? ''),
  changeRequest: async ({ token, ids }: World) => ({
    changeRequestId: await worlds.beginChange(token, ids['spaceId'] ?? '', []),
  }),
  comment: ({ token, ids }: World) => worlds.createComment(token, `/spaces/${ids['spaceId']}`, ids['pageId']),
  changeRequestComment: ({ token, ids }: World) =>
    worlds.createComment(token, `/spaces/${ids['spaceId']}/change-requests/${ids['changeRequestId']}`),
  requestedTeam: async ({ organizationId, token, ids }: World) => {
    const teamId = await worlds.createTeam(organizationId, token);
    const path = `/spaces/${ids['spaceId']}/change-requests/${ids['changeRequestId']}/requested-reviewers`;
    await platform.api('POST', path, { token, body: { users: [], teams: [teamId] } });
    return { teamId };
  },
  grants: async ({ organizationId, token, ids }: World) => {
    const userId = await worlds.createSubject(organizationId);
    const teamId = await worlds.createTeam(organizationId, token);
    const body = { role: 'read', users: [userId], teams: [teamId] };
    for (const place of [
      `/spaces/${ids['spaceId']}`,
      `/collections/${ids['collectionId']}`,
      `/orgs/${organizationId}/sites/${ids['siteId']}`,
      `/orgs/${organizationId}`,
    ])
      await platform.api('POST', `${place}/permissions`, { token, body });
    return { userId, teamId };
  },
} satisfies Record<string, (world: World) => Promise<Ids>>;

async function makeDeleted(): Promise<Ids> {
  const { api } = platform;
  const { organizationId, token } = own;
  const ids: Ids = {
    ...(await makers.space(own)),
    ...(await makers.collection(own)),
    ...(await makers.team(own)),
    ...(await makers.member(own)),
    ...(await makers.translation(own)),
    ...(await makers.site(own)),
  };
  const org = `/orgs/${organizationId}`;
  const paths = [
    `/spaces/${ids['spaceId']}`,
    `/collections/${ids['collectionId']}`,
    `${org}/teams/${ids['teamId']}`,
    `${org}/members/${ids['userId']}`,
    `${org}/translations/${ids['translationId']}`,
    `${org}/sites/${ids['siteId']}`,
  ];
  for (const path of paths) expect((await api('DELETE', path, { token })).status).toBe(204);
  return ids;
}

function fill(text: string, ids: Ids): string {
  return text.replaceAll(/\$([A-Za-z]+)/g, (_whole, name: string) => {
    const id = ids[name];
    if (id === undefined)
      throw new Error(
        `No id “${name}”: return it from fillWorld (test/platform/fill-world.ts), or from a function of makers, in this file.`,
      );
    return id;
  });
}
