/** Every address of the dashboard, as it is registered, tried with ids of another organization by people who are not in it. */
import { type SQL, sql } from 'drizzle-orm';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { afterAll, beforeAll, expect } from 'vitest';
import { createMember } from '../platform/create-member.ts';
import { fillWorlds, type Ids, MARK, type World } from '../platform/fill-world.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { type PageRoute, startPages, type TestPages } from './start-pages.ts';

type Node = DefaultTreeAdapterMap['node'];

interface Form {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Visitor {
  readonly name: string;
  /** Null: nobody is signed in. */
  readonly cookie: string | null;
}

let pages: TestPages;
let own: World;
let foreign: World;
let visitors: readonly Visitor[];
let ownAdmin: string;
/** An administrator there. */
let foreignAdmin: string;

beforeAll(async () => {
  pages = await startPages({ withJobs: false });
  const { platform } = pages;
  const { fillWorld } = fillWorlds(platform);
  own = await fillWorld(platform.organizationId, platform.token);
  const owner = await createMember(platform, 'Owner elsewhere', {});
  const body = { title: `${MARK} elsewhere` };
  const { id } = (await platform.api('POST', '/orgs', { token: owner.token, body })).body;
  foreign = await fillWorld(id, owner.token);
  ownAdmin = await pages.signIn();
  const signedIn = async (name: string, role: string | null): Promise<Visitor> => {
    const { token } = await createMember(platform, name, { role });
    return { name, cookie: await pages.signIn(token) };
  };
  // Who is in no organization at all is signed out.
  const third = await createMember(platform, 'Stranger', {});
  await platform.api('POST', '/orgs', { token: third.token, body: { title: 'Third' } });
  foreignAdmin = await pages.signIn(owner.token);
  visitors = [
    { name: 'administrator', cookie: ownAdmin },
    { name: 'stranger', cookie: await pages.signIn(third.token) },
    await signedIn('guest', null),
    { name: 'nobody', cookie: null },
    await signedIn('reviewer', 'review'),
    await signedIn('reader', 'read'),
  ];
});
afterAll(() => pages?.close());

const PARAM = /:(\w+)/g;

const headersOf = ({ cookie }: Visitor): Record<string, string> => (cookie === null ? {} : { cookie });

/** The names that an address has for parameters which the world knows by another. */
function idsFor({ path }: PageRoute, { ids }: World): Ids {
  const id = /^\/collections\//.test(path)
    ? ids['collectionId']
    : /\/sections\//.test(path)
      ? ids['siteSectionId']
      : /\/groups\//.test(path)
        ? ids['siteSectionGroupId']
        : /\/variants\//.test(path)
          ? ids['siteSpaceId']
          : /\/links\//.test(path)
            ? ids['shareLinkId']
            : /\/redirects\//.test(path)
              ? ids['siteRedirectId']
              : ids['spaceId'];
  const providerId = ids[/\/oidc\//.test(path) ? 'oidcProviderId' : 'samlProviderId'];
  return { ...ids, ...(id && { id }), ...(providerId && { providerId }), '*': 'README.md' };
}

const paramsOf = ({ path }: PageRoute): readonly string[] =>
  [...path.matchAll(PARAM)].flatMap(([, name]) => (name === undefined ? [] : [name]));

const addressOf = ({ path }: PageRoute, ids: Ids): string =>
  path.replaceAll(PARAM, (_whole, name: string) => ids[name] ?? '').replace('*', ids['*'] ?? '');

/** What an identity provider, or a browser that comes from there, asks for before anybody is signed in. */
const OF_PROTOCOLS = /^\/(?:oidc|saml)\/:providerId\//;

/** The registered addresses that name something of an organization. */
const routesAbout = (): readonly PageRoute[] =>
  pages.routes.filter((route) => {
    if (OF_PROTOCOLS.test(route.path)) return false;
    const params = paramsOf(route);
    return params.length > 0 && params.every((name) => idsFor(route, own)[name] !== undefined);
  });

/** Those of the pages of an organization, as its administrator is shown them. */
async function collectForms(world: World, cookie: string): Promise<readonly Form[]> {
  const found = new Map<string, Form>();
  for (const route of routesAbout()) {
    if (route.method !== 'GET') continue;
    const answer = await pages.get(addressOf(route, idsFor(route, world)), { cookie });
    if (!answer.headers.get('content-type')?.includes('text/html')) continue;
    for (const form of formsIn(parse(await answer.text()))) found.set(JSON.stringify(form), form);
  }
  return [...found.values()];
}

function formsIn(node: Node): readonly Form[] {
  const { method, action } = attributesOf(node);
  if (node.nodeName === 'form' && method?.toLowerCase() === 'post' && action !== undefined)
    return [{ path: action, fields: Object.fromEntries(fieldsIn(node)) }];
  return 'childNodes' in node ? node.childNodes.flatMap(formsIn) : [];
}

function fieldsIn(node: Node): readonly (readonly [string, string])[] {
  const { name, value = MARK } = attributesOf(node);
  if (name !== undefined && /^(?:input|textarea|button)$/.test(node.nodeName)) return [[name, value]];
  if (name !== undefined && node.nodeName === 'select') return [[name, lastOption(node) ?? '']];
  return 'childNodes' in node ? node.childNodes.flatMap(fieldsIn) : [];
}

function lastOption(node: Node): string | undefined {
  if (node.nodeName === 'option') return attributesOf(node)['value'];
  return 'childNodes' in node ? node.childNodes.map(lastOption).findLast((value) => value) : undefined;
}

function attributesOf(node: Node): Readonly<Record<string, string>> {
  return 'attrs' in node ? Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])) : {};
}

/** Everything that the database has about the other organization. */
async function stateOfForeign(): Promise<Readonly<Record<string, string>>> {
  const { db } = pages.platform.deps;
  const columns = await db.execute<{ table: string; column: string }>(sql`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_name in ('organization_id', 'space_id', 'site_id', 'team_id', 'change_request_id')
    order by 1, 2`);
  const ids: Readonly<Record<string, string | undefined>> = {
    organization_id: foreign.organizationId,
    space_id: foreign.ids['spaceId'],
    site_id: foreign.ids['siteId'],
    team_id: foreign.ids['teamId'],
    change_request_id: foreign.ids['changeRequestId'],
  };
  const state: Record<string, string> = {};
  for (const { table, column } of columns.rows) {
    const from: SQL = sql`${sql.identifier(table)} as t where ${sql.identifier(column)}::text = ${ids[column]}`;
    const found = await db.execute<{ all: string | null }>(
      sql`select string_agg(t::text, chr(10) order by t::text) as "all" from ${from}`,
    );
    state[`${table}.${column}`] = found.rows[0]?.all ?? '';
  }
  return state;
}

/** Whether an answer is the one to the address of nothing or to a wrong query, or leads to the form to sign in. */
async function isRefused(answer: Response, { cookie }: Visitor): Promise<boolean> {
  const text = await answer.text();
  if (cookie === null && answer.status === 303)
    return answer.headers.get('location')?.startsWith('/login') === true;
  return (answer.status === 404 || answer.status === 400) && !text.includes(MARK);
}

/** Sends a form as a visitor; returns what came of it where that is not a refusal. */
async function send(visitor: Visitor, { path, fields }: Form): Promise<string | null> {
  const answer = await pages.post(path, fields, headersOf(visitor));
  const told = `${visitor.name}: POST ${path} ${answer.status} ${answer.headers.get('location') ?? ''}`;
  return (await isRefused(answer, visitor)) ? null : told;
}

testAtLength(
  'shows nothing of another organization at any address',
  async () => {
    const shown: string[] = [];
    for (const route of routesAbout()) {
      if (route.method !== 'GET') continue;
      const mine = idsFor(route, own);
      const theirs = idsFor(route, foreign);
      const params = paramsOf(route);
      const mixed = params.length < 2 ? [] : params.map((name) => ({ ...mine, [name]: theirs[name] ?? '' }));
      for (const ids of [theirs, ...mixed]) {
        for (const visitor of visitors) {
          const path = addressOf(route, ids);
          const answer = await pages.get(path, headersOf(visitor));
          if (!(await isRefused(answer, visitor)))
            shown.push(
              `${visitor.name}: GET ${path} (${route.path}) ${answer.status} ${answer.headers.get('location') ?? ''}`,
            );
        }
      }
    }
    expect(shown).toEqual([]);
  },
  300_000,
);

testAtLength(
  'changes nothing of another organization by any form of it',
  async () => {
    const foreignForms = await collectForms(foreign, foreignAdmin);
    const before = await stateOfForeign();
    const accepted: string[] = [];
    expect(foreignForms.length).toBeGreaterThan(100);
    for (const form of foreignForms) {
      // Whoever leaves their own organization has nothing to try with.
      if (!/^\/(?:orgs|spaces|collections)\//.test(form.path) || form.path.endsWith('/leave')) continue;
      const mixed = form.path.replace(foreign.organizationId, own.organizationId);
      for (const visitor of visitors) {
        const told = await send(visitor, form);
        if (told !== null) accepted.push(told);
        if (mixed !== form.path) await send(visitor, { ...form, path: mixed });
      }
    }
    expect(accepted).toEqual([]);
    expect(await stateOfForeign()).toEqual(before);
  },
  300_000,
);

testAtLength(
  'changes nothing of another organization by ids in the fields of a form',
  async () => {
    const ownForms = await collectForms(own, ownAdmin);
    const before = await stateOfForeign();
    const swap = new Map(Object.entries(own.ids).map(([name, id]) => [id, foreign.ids[name] ?? id]));
    for (const { path, fields } of ownForms) {
      const entries = Object.entries(fields);
      const swapped = entries.map(([name, value]) => [name, swap.get(value) ?? value] as const);
      if (swapped.every(([, value], index) => value === entries[index]?.[1])) continue;
      await pages.post(path, Object.fromEntries(swapped), { cookie: ownAdmin });
    }
    expect(await stateOfForeign()).toEqual(before);
  },
  300_000,
);
