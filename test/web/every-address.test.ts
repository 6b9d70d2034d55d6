/** Where the resources of the API say that people and programs find them, somebody who may see them does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyOperation, operations, paramNames } from '../../src/contract/index.ts';
import { fillWorlds, type World } from '../platform/fill-world.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let world: World;
let cookie: string;
/** What the operations that read answer, by their id. */
let answers: ReadonlyMap<string, unknown>;

beforeAll(async () => {
  pages = await startPages();
  const { platform } = pages;
  world = await fillWorlds(platform).fillWorld(platform.organizationId, platform.token);
  cookie = await pages.signIn();
  answers = await readAll();
});
afterAll(() => pages?.close());

/** Operations that read, of which all parameters are known. */
const reads = (): readonly AnyOperation[] =>
  Object.values<AnyOperation>(operations).filter(
    ({ method, path }) => method === 'GET' && paramNames(path).every((name) => world.ids[name] !== undefined),
  );

/** The addresses of all resources within an answer, by the name that they have in `urls`. */
function addressesIn(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => addressesIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const address = key === 'urls' ? (inner as Record<string, unknown>)[name] : undefined;
    return [...(typeof address === 'string' ? [address] : []), ...addressesIn(inner, name)];
  });
}

async function readAll(): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const { id, path, query } of reads()) {
    const at = path.replaceAll(/:([A-Za-z]+)/g, (_whole: string, param: string) => world.ids[param] ?? '');
    const isSearch = 'query' in ((query as { properties?: object } | undefined)?.properties ?? {});
    const { status, body } = await pages.platform.api('GET', isSearch ? `${at}?query=guide` : at);
    if (status === 200) found.set(id, body);
  }
  return found;
}

/** By address, the operation that told it first. */
function collect(name: string): ReadonlyMap<string, string> {
  const found = [...answers].flatMap(([id, body]) =>
    addressesIn(body, name).map((address) => [address, id] as const),
  );
  return new Map(found.toReversed());
}

/** Asks as a browser does, which follows redirects. */
async function open(path: string): Promise<number> {
  const answer = await pages.get(path, { cookie });
  const next = answer.headers.get('location');
  return answer.status >= 300 && answer.status < 400 && next !== null ? await open(next) : answer.status;
}

/** An address without what it is about. */
function kindOf(pathname: string): string {
  const names = new Set(Object.values(world.ids));
  return pathname
    .split('/')
    .map((part) => (names.has(part) || /^(?:\d+|[\w-]{20})$/.test(part) ? ':id' : part))
    .join('/');
}

test('the page of each resource answers', async () => {
  const kinds = new Set<string>();
  const broken: string[] = [];
  for (const [address, id] of collect('app')) {
    const { origin, pathname, search } = new URL(address);
    expect(origin).toBe('http://docs.example');
    kinds.add(kindOf(pathname));
    const status = await open(pathname + search);
    if (status !== 200) broken.push(`${id}: ${pathname}${search} answers ${status}`);
  }
  expect(broken).toEqual([]);
  expect([...kinds].toSorted()).toEqual([
    '/collections/:id',
    '/orgs/:id',
    '/orgs/:id/conversations/:id',
    '/orgs/:id/sites/:id',
    '/orgs/:id/specs/:id',
    '/spaces/:id',
    '/spaces/:id/change-requests/:id',
    '/spaces/:id/change-requests/:id/comments/:id',
    '/spaces/:id/comments/:id',
    '/spaces/:id/pages/:id',
    '/spaces/:id/revisions/:id',
  ]);
});

test('the operation of each resource answers', async () => {
  const found = collect('location');
  expect(found.size).toBeGreaterThan(20);
  const broken: string[] = [];
  for (const [address, id] of found) {
    const path = address.replace(/^(?:http:\/\/docs\.example)?\/v1/, '');
    const { status } = await pages.platform.api('GET', path);
    if (status !== 200) broken.push(`${id}: ${address} answers ${status}`);
  }
  expect(broken).toEqual([]);
});
