import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { hashToken } from '../../src/identity/index.ts';
import { SURFACE_PATHS } from '../../src/sites/answer-surface.ts';
import { newId, type SiteRow, tables } from '../../src/store/index.ts';
import { createMember, type TestMember } from '../platform/create-member.ts';
import { isWhole } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const SHARE_KEY = 'a-key-of-a-share-link';
const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';
const TEXT = 'The quokka is shy';
const PREVIEW = 'preview of ';
/** What the first page shows to the visitor with a token, where the site knows claims, and to nobody else. */
const CONDITIONAL = 'wombat';

/** What each visitor is answered on every surface, and what the answers say to caches and to search engines. */
const AUDIENCES = {
  public: { nobody: 200, key: 200, token: 200, member: 200, isShared: true, isIndexed: true },
  unlisted: { nobody: 200, key: 200, token: 200, member: 200, isShared: true, isIndexed: false },
  'share-link': { nobody: 404, key: 200, token: 404, member: 200, isShared: false, isIndexed: false },
  // With adaptive content, as `visitor-auth` and its preview are.
  adaptive: { nobody: 200, key: 200, token: 200, member: 200, isShared: false, isIndexed: true },
  'visitor-auth': { nobody: 403, key: 403, token: 200, member: 200, isShared: false, isIndexed: false },
  unpublished: { nobody: 404, key: 404, token: 404, member: 200, isShared: false, isIndexed: false },
  // Whoever the site is for; the key is that of the preview.
  'preview of public': { nobody: 404, key: 200, token: 404, member: 200, isShared: false, isIndexed: false },
  'preview of share-link': {
    nobody: 404,
    key: 200,
    token: 404,
    member: 200,
    isShared: false,
    isIndexed: false,
  },
  'preview of visitor-auth': {
    nobody: 404,
    key: 200,
    token: 404,
    member: 200,
    isShared: false,
    isIndexed: false,
  },
} as const;
type Audience = keyof typeof AUDIENCES;
const VISITORS = ['nobody', 'key', 'token', 'member'] as const;
/** Those who bring what opens nothing: they are answered as nobody is. */
const REFUSED = ['a wrong key', 'a key that is switched off', 'an expired token', 'a forged token'] as const;
/** People of the organization without a role in it, with what they were granted, as whom they are answered. */
const PEOPLE = {
  'a guest': 'nobody',
  'a guest with a grant on the site': 'member',
  'a guest whose team has a grant on the site': 'member',
  'a guest with a grant on its space alone': 'nobody',
  'a stranger': 'nobody',
  'a member who is disabled': 'nobody',
} as const;
type VisitorName = (typeof VISITORS)[number] | (typeof REFUSED)[number] | keyof typeof PEOPLE;
const ALL_VISITORS: readonly VisitorName[] = [
  ...VISITORS,
  ...REFUSED,
  ...(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[]),
];
const OTHERS = ALL_VISITORS.filter((visitor) => !(VISITORS as readonly VisitorName[]).includes(visitor));
const triesAll = isWhole('all visitors on every surface of sites, also of more previews');
const TRIED_AUDIENCES = (Object.keys(AUDIENCES) as Audience[]).filter(
  (audience) => triesAll || !['preview of public', 'preview of share-link'].includes(audience),
);

/**
 * Without CI those whom each surface of the site has to tell apart: where a key and a token change nothing, nobody and a
 * member. Each of the others on one surface of each site.
 */
function visitorsOf(audience: Audience, surface: string): readonly VisitorName[] {
  if (triesAll) return ALL_VISITORS;
  const at = Object.keys(SURFACES).indexOf(surface) - 3 * TRIED_AUDIENCES.indexOf(audience);
  const { nobody, key, token } = AUDIENCES[audience];
  const isAlike = nobody === key && nobody === token && !isAdaptive(audience);
  return [
    ...(isAlike && at !== 0 ? (['nobody', 'member'] as const) : VISITORS),
    ...OTHERS.slice(at, at + 1).filter(() => at >= 0),
  ];
}

interface Surface {
  readonly path: string | ((site: BuiltSite) => string);
  readonly headers?: Readonly<Record<string, string>>;
  /** What is posted there. */
  readonly payload?: string | ((site: BuiltSite) => string);
  /** The status to who would have to sign in, where that is not 403. */
  readonly refused?: number;
  /** The status to who may see the site, where that is not 200. */
  readonly answered?: number;
  /** Part of what it answers to who may see the site. */
  readonly has: string | RegExp;
  /** There is none where search engines are not to know the site. */
  readonly isForSearchEngines?: true;
  /** Search engines are not to know it on any site. */
  readonly isLeftOutOfSearches?: true;
  /** Only the visitor's own browser keeps it, whoever may see it. */
  readonly isPrivate?: true;
  /** There is none in a preview. */
  readonly isLive?: true;
  /** Whether it has the text of the first page. */
  readonly hasText?: true;
}

interface BuiltSite {
  /** Its path, or that of its preview. */
  readonly at: string;
  /** The cookie of who came by a key. */
  readonly keyCookie: string;
  readonly row: SiteRow;
  readonly siteSpaceId: string;
  /** Of its files, in the order of the page. */
  readonly fileIds: readonly string[];
  readonly pageId: string;
}

function callTool(name: string, values: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });
}

const SURFACES: Readonly<Record<string, Surface>> = {
  'the home page': { path: '', has: TEXT, hasText: true },
  'the home page as .md': { path: '/index.md', has: TEXT, hasText: true },
  'the home page for Accept: text/markdown': {
    path: '',
    headers: { accept: 'text/markdown' },
    has: TEXT,
    hasText: true,
  },
  'a page': { path: '/page', has: 'Second' },
  'a page as .md': { path: '/page.md', has: '# Second' },
  'a page for Accept: text/markdown': {
    path: '/page',
    headers: { accept: 'text/markdown' },
    has: '# Second',
  },
  'llms.txt': { path: '/llms.txt', has: '/page.md' },
  'llms-full.txt': { path: '/llms-full.txt', has: TEXT, hasText: true },
  'the feed': { path: '/feed.xml', has: '<title>Second</title>' },
  'the sitemap index': { path: '/sitemap.xml', has: '<sitemap>', isForSearchEngines: true },
  'the sitemap of a space': {
    path: ({ siteSpaceId }) => `/~/sitemap/${siteSpaceId}.xml`,
    has: '/page',
    isForSearchEngines: true,
  },
  'robots.txt': { path: '/robots.txt', has: 'User-agent' },
  'a file': {
    path: ({ siteSpaceId, fileIds }) => `/~/files/${siteSpaceId}/${fileIds[0]}`,
    has: 'of the quokka',
  },
  'a picture': {
    path: ({ siteSpaceId, fileIds }) => `/~/files/${siteSpaceId}/${fileIds[1]}`,
    has: '<svg',
  },
  'an operation of the API reference': { path: '/reference', has: 'Tickle the quokka' },
  'an address with a slash at its end': { path: '/page/', answered: 301, has: /^/ },
  'a redirect of the site': { path: '/former', answered: 301, has: /^/ },
  'an address without a page': {
    path: '/secon',
    headers: { accept: 'text/html' },
    answered: 404,
    has: 'Second',
    isPrivate: true,
    isLeftOutOfSearches: true,
  },
  'search as JSON': {
    path: '/~/search?q=quokka',
    headers: { accept: 'application/json' },
    has: '"isMatch":true',
    isPrivate: true,
  },
  'search as a page': {
    path: '/~/search?q=quokka',
    has: '<mark>quokka</mark>',
    isPrivate: true,
    isLeftOutOfSearches: true,
  },
  'search by MCP': {
    path: '/~/mcp',
    headers: { 'content-type': 'application/json' },
    payload: callTool('search', { query: 'quokka' }),
    has: TEXT,
    isPrivate: true,
    refused: 401,
  },
  'what is hidden, by MCP': {
    path: '/~/mcp',
    headers: { 'content-type': 'application/json' },
    payload: callTool('search', { query: 'beside' }),
    has: 'Nothing was found',
    isPrivate: true,
    refused: 401,
  },
  'what is hidden, asked by MCP': {
    path: '/~/mcp',
    headers: { 'content-type': 'application/json' },
    payload: callTool('ask', { question: 'where does the shy quokka live' }),
    has: /quokka|not in these docs/,
    isPrivate: true,
    refused: 401,
  },
  'an answer as a page': {
    path: '/~/ask',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'q=is+the+quokka+shy',
    has: TEXT,
    isPrivate: true,
    isLeftOutOfSearches: true,
  },
  'an answer as events': {
    path: '/~/ask',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/event-stream' },
    payload: 'q=is+the+quokka+shy',
    has: TEXT,
    isPrivate: true,
  },
  'the page about MCP': {
    path: '/~/mcp',
    headers: { accept: 'text/html' },
    has: '/~/mcp',
    isPrivate: true,
    refused: 401,
  },
  'a page by MCP': {
    path: '/~/mcp',
    headers: { 'content-type': 'application/json' },
    payload: callTool('getPage', { address: 'page' }),
    has: '# Second',
    isPrivate: true,
    refused: 401,
  },
  'the home page by MCP': {
    path: '/~/mcp',
    headers: { 'content-type': 'application/json' },
    payload: callTool('getPage', { address: 'index' }),
    has: TEXT,
    isPrivate: true,
    refused: 401,
    hasText: true,
  },
  'the feedback form': {
    path: '/~/feedback',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: ({ siteSpaceId, pageId }) => `space=${siteSpaceId}&page=${pageId}&helpful=yes`,
    has: 'Thank you',
    isPrivate: true,
    isLive: true,
  },
  'the picture for social networks': {
    path: ({ siteSpaceId, pageId }) => `/~/social/${siteSpaceId}/${pageId}/abcdefghijkl.png`,
    has: /^.PNG/,
  },
  'a section to print': {
    path: ({ siteSpaceId }) => `/~/print/${siteSpaceId}`,
    has: TEXT,
    isLeftOutOfSearches: true,
    hasText: true,
  },
  'the whole site to print': {
    path: '/~/print/site',
    has: TEXT,
    isLeftOutOfSearches: true,
    hasText: true,
  },
  'the chosen styles': { path: ({ siteSpaceId }) => `/~/styles/1-${siteSpaceId}.css`, has: /^/ },
};

const ADAPTIVE = {
  adaptiveContent: true,
  adaptiveSchema: { type: 'object', properties: { plan: { type: 'string' } } },
};
const isAdaptive = (audience: Audience) => audience === 'adaptive' || audience === 'visitor-auth';

let sites: TestSites;
const built = new Map<Audience, BuiltSite>();
/** The values of cookies, by what they let in. */
/** The API tokens of people. */
let people: Readonly<Record<keyof typeof PEOPLE, TestMember>>;
let teamId: string;
let tokens: Readonly<Record<'token' | 'an expired token' | 'a forged token', string>>;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const { db, sealer } = platform.deps;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({
    'README.md': `# Welcome\n\n${TEXT}. [Its call](call.txt). ![Its face](face.svg)

{% if visitor.claims.plan == "pro" %}
## The ${CONDITIONAL}

It lives beside the shy quokka.
{% endif %}

For {{ visitor.claims.plan == "pro" ? "the ${CONDITIONAL}" : "all" }}.

{% if visitor.claims.plan == "pro" %}
Of no end, like a ${CONDITIONAL}.
`,
    '.gitbook.yaml': 'root: ./\n',
    'reference.md':
      '# Reference\n\n{% openapi-operation spec="quokkas" path="/quokka" method="post" %}\n{% endopenapi-operation %}\n',
    'face.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>quokka</title></svg>',
    'page.md': '# Second\n',
    'secret.md': '---\nnoIndex: true\n---\n\n# Kept from search engines\n',
    'robots.md': '---\nnoRobotsIndex: true\n---\n\n# Out of search engines\n',
    'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n',
    'call.txt': 'The call of the quokka\n',
  });
  await describeApi();
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const sign = async (expires: string, key: string) =>
    await new SignJWT({ plan: 'pro' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(key));
  tokens = {
    token: await sign('1h', VISITOR_KEY),
    'an expired token': await sign('-1h', VISITOR_KEY),
    'a forged token': await sign('1h', `not-${VISITOR_KEY}`),
  };
  await invitePeople(spaceId);
  for (const audience of Object.keys(AUDIENCES) as Audience[]) {
    if (audience.startsWith(PREVIEW)) {
      const site = built.get(audience.slice(PREVIEW.length) as Audience) as BuiltSite;
      built.set(audience, { ...site, ...(await previewSite(site, spaceId)) });
      continue;
    }
    const row = await sites.createSite(
      audience,
      audience === 'unpublished'
        ? { publishedAt: null }
        : {
            visibility: audience === 'adaptive' ? 'public' : audience,
            ...(isAdaptive(audience) ? ADAPTIVE : {}),
          },
    );
    const { id: siteSpaceId } = await sites.addSpace(row, spaceId);
    await grantSite(row.id);
    const id = newId();
    const hash = hashToken(`${SHARE_KEY}-${row.id}`);
    await db.insert(tables.siteShareLinks).values([
      { id, siteId: row.id, name: 'All', hash, prefix: 'a-key' },
      {
        id: newId(),
        siteId: row.id,
        name: 'Former',
        hash: hashToken(`former-${row.id}`),
        prefix: 'forme',
        active: false,
      },
    ]);
    const destination = { kind: 'site-space', siteSpaceId };
    await db
      .insert(tables.siteRedirects)
      .values({ id: newId(), siteId: row.id, source: '/former', destination });
    const sealedKey = sealer.seal(VISITOR_KEY);
    await db.insert(tables.siteVisitorKeys).values({ id: newId(), siteId: row.id, sealedKey });
    sites.isMember = true;
    const { body } = await sites.get(`/s/acme/${audience}`);
    const fileIds = [...body.matchAll(/~\/files\/[^/"]+\/([^/"]+)"/g)].map(([, id = '']) => id);
    const pageId = /name="page" value="([^"]*)"/.exec(body)?.[1] ?? '';
    const keyCookie = `docloom-share-${row.id}=${SHARE_KEY}-${row.id}`;
    built.set(audience, { at: `/s/acme/${audience}`, keyCookie, row, siteSpaceId, fileIds, pageId });
  }
});
afterAll(() => sites.close());

async function invitePeople(spaceId: string): Promise<void> {
  const { platform } = sites;
  const { api, organizationId } = platform;
  const guest = async (name: string) => await createMember(platform, name, { role: null });
  people = {
    'a guest': await guest('a guest'),
    'a guest with a grant on the site': await guest('of the site'),
    'a guest whose team has a grant on the site': await guest('of a team'),
    'a guest with a grant on its space alone': await guest('of the space'),
    'a stranger': await createMember(platform, 'a stranger', {}),
    'a member who is disabled': await createMember(platform, 'disabled', { role: 'admin' }),
  };
  const { userId } = people['a guest whose team has a grant on the site'];
  teamId = (
    await api('PUT', `/orgs/${organizationId}/teams`, { body: { title: 'Readers', members: [userId] } })
  ).body.id;
  const ofSpace = { role: 'read', users: [people['a guest with a grant on its space alone'].userId] };
  const granted = await api('POST', `/spaces/${spaceId}/permissions`, { body: ofSpace });
  expect(granted.status).toBeLessThan(300);
  await platform.deps.db
    .update(tables.members)
    .set({ disabledAt: new Date() })
    .where(eq(tables.members.userId, people['a member who is disabled'].userId));
}

async function grantSite(siteId: string): Promise<void> {
  const { api, organizationId } = sites.platform;
  const body = {
    role: 'read',
    users: [people['a guest with a grant on the site'].userId],
    teams: [teamId],
  };
  const granted = await api('POST', `/orgs/${organizationId}/sites/${siteId}/permissions`, { body });
  expect(granted.status).toBeLessThan(300);
}

/** A specification that everybody may read. */
async function describeApi(): Promise<void> {
  const { organizationId, api } = sites.platform;
  const path = `/orgs/${organizationId}/openapi/quokkas`;
  const operation = { summary: 'Tickle the quokka', responses: { 204: { description: 'Tickled.' } } };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Quokkas', version: '1' },
    paths: { '/quokka': { post: operation } },
  });
  expect((await api('PUT', path, { body: { source: { text } } })).status).toBe(200);
  await waitFor(async () => (await api('GET', path)).body.processingState === 'complete');
  expect((await api('PATCH', path, { body: { visibility: 'public' } })).status).toBe(200);
}

/** A preview that shows what is live, so that its surfaces answer the same. */
async function previewSite({ row }: BuiltSite, space: string): Promise<Pick<BuiltSite, 'at' | 'keyCookie'>> {
  const { client, organizationId } = sites.platform;
  const { revision = '' } = await client.call(operations.getSpace, { params: { spaceId: space } });
  const { id, address } = await client.call(operations.saveSitePreview, {
    params: { organizationId, siteId: row.id },
    body: {
      source: 'pull-1',
      title: '#1',
      url: 'https://forge.example/pull/1',
      revisions: [{ space, revision }],
    },
  });
  const { pathname, searchParams } = new URL(address);
  return { at: pathname, keyCookie: `docloom-share-${id}=${searchParams.get('shareKey')}` };
}

async function open(
  audience: Audience,
  visitor: VisitorName,
  { path, headers = {}, payload }: Pick<Surface, 'path' | 'headers' | 'payload'>,
) {
  const site = built.get(audience);
  if (site === undefined) throw new Error(`There is no site for ${audience}.`);
  sites.isMember = visitor === 'member';
  sites.memberToken = visitor in PEOPLE ? people[visitor as keyof typeof PEOPLE].token : null;
  const [keyName] = site.keyCookie.split('=', 1);
  const visitorCookie = (kind: keyof typeof tokens) => `docloom-visitor-${site.row.id}=${tokens[kind]}`;
  const cookies: Partial<Record<VisitorName, string>> = {
    key: site.keyCookie,
    'a wrong key': `${keyName}=wrong`,
    'a key that is switched off': `${keyName}=former-${site.row.id}`,
    token: visitorCookie('token'),
    'an expired token': visitorCookie('an expired token'),
    'a forged token': visitorCookie('a forged token'),
  };
  const cookie = cookies[visitor] ?? '';
  const below = typeof path === 'string' ? path : path(site);
  const address = `${site.at}${below}`;
  // Each visitor comes from elsewhere, so that none of them says too much.
  const from = `192.0.2.${ALL_VISITORS.length * Object.keys(AUDIENCES).indexOf(audience) + ALL_VISITORS.indexOf(visitor)}`;
  const sent = { ...headers, 'x-forwarded-for': from, ...(cookie === '' ? {} : { cookie }) };
  if (payload === undefined) return await sites.get(address, sent);
  return await sites.post(address, typeof payload === 'string' ? payload : payload(site), sent);
}

describe('the table above', () => {
  test('has each path at which a site answers', () => {
    const site = built.get('public') as BuiltSite;
    const paths = Object.values(SURFACES).map(({ path }) => (typeof path === 'string' ? path : path(site)));
    const isThere = (name: string) =>
      paths.some((path) => path.split('?', 1)[0] === `/${name}` || path.startsWith(`/${name}/`));
    expect(SURFACE_PATHS.filter((name) => !isThere(name))).toEqual([]);
  });

  test('is about all routes of sites, but for what is no site’s', () => {
    const own = ['', '/*'].flatMap((path) => [
      `/s/:organization/:basename${path}`,
      `/~sites/org/:organization/:basename${path}`,
      `/~sites/host/:hostname${path}`,
    ]);
    const posted = own.filter((path) => path.endsWith('*')).map((path) => `POST ${path}`);
    const ofNoSite = [
      '/api/hosts',
      '/robots.txt',
      ...['/s', '/~sites/org'].flatMap((prefix) =>
        ['', '/robots.txt', '/~/assets/*'].map((path) => `${prefix}/:organization${path}`),
      ),
      '/~sites/org/:organization/~/sign-in',
      '/~sites/host/:hostname/~/sign-in',
    ];
    const read = [...own, ...ofNoSite].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
    expect([...sites.routes].toSorted()).toEqual([...read, ...posted].toSorted());
  });
});

function answeredAs(visitor: VisitorName): (typeof VISITORS)[number] {
  if (visitor in PEOPLE) return PEOPLE[visitor as keyof typeof PEOPLE];
  return VISITORS.find((each) => each === visitor) ?? 'nobody';
}

describe.each(TRIED_AUDIENCES)('of a site that is %s', (audience) => {
  const expected = AUDIENCES[audience];

  test.each(Object.entries(SURFACES))('%s is for its readers only', async (name, surface) => {
    const { etag } = (await open(audience, 'member', surface)).headers;
    for (const visitor of visitorsOf(audience, name)) {
      const { statusCode, headers, body } = await open(audience, visitor, surface);
      const isLeftOut =
        (surface.isForSearchEngines === true && !expected.isIndexed) ||
        (surface.isLive === true && audience.startsWith(PREVIEW));
      const ofVisitor = expected[answeredAs(visitor)];
      const mayRead = ofVisitor === 200 && !isLeftOut;
      const refused = ofVisitor === 403 ? (surface.refused ?? 403) : 404;
      const status = mayRead ? (surface.answered ?? 200) : refused;
      expect([visitor, statusCode], body).toEqual([visitor, status]);
      const isShown = mayRead && visitor === 'token' && isAdaptive(audience) && surface.hasText === true;
      const everything = body + JSON.stringify(headers);
      expect([visitor, everything.includes(CONDITIONAL)]).toEqual([visitor, isShown]);
      expect(everything).not.toContain('visitor.claims');
      if (!mayRead) expect(body + headers.location).not.toMatch(/quokka|Second|Guide|Acme/);
      const isShared = mayRead && expected.isShared && surface.isPrivate !== true;
      const caching = isShared ? /^public, / : /^private, /;
      expect(headers['cache-control']).toMatch(caching);
      // Whoever has kept an answer is told that it is the same only where they may read it.
      if (etag !== undefined && surface.payload === undefined) {
        const known = { ...surface.headers, 'if-none-match': String(etag) };
        const again = await open(audience, visitor, { ...surface, headers: known });
        const same = mayRead && status === 200 && headers.etag === etag ? 304 : status;
        expect([visitor, again.statusCode]).toEqual([visitor, same]);
        expect(again.headers['cache-control']).toMatch(caching);
      }
      if (!mayRead) continue;
      expect(body).toMatch(surface.has);
      const isIndexed = expected.isIndexed && surface.isLeftOutOfSearches !== true;
      expect(headers['x-robots-tag']).toBe(isIndexed ? undefined : 'noindex');
    }
  });
});

test.each(['secret', 'hidden', 'robots'])(
  'search engines are told to leave the page “%s” out',
  async (name) => {
    for (const [path, accept] of [
      [`/${name}`, 'text/html'],
      [`/${name}.md`, '*/*'],
      [`/${name}`, 'text/markdown'],
    ] as const) {
      const { statusCode, headers } = await open('public', 'nobody', { path, headers: { accept } });
      expect([path, statusCode, headers['x-robots-tag']]).toEqual([path, 200, 'noindex']);
    }
    const { body } = await open('public', 'nobody', SURFACES['the sitemap of a space'] as Surface);
    expect(body).toContain('/page<');
    expect(body).not.toContain(`/${name}<`);
  },
);

describe('who may not read a site', () => {
  const people = { accept: 'text/html,*/*', 'accept-language': 'fr-CA, en;q=0.5' };

  test('sees the same page as where there is none, in their language', async () => {
    const { statusCode, headers, body } = await open('share-link', 'nobody', {
      path: '/page',
      headers: people,
    });
    const nowhere = await sites.get('/s/acme/nothing/page', people);
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect([nowhere.statusCode, nowhere.body]).toEqual([404, body.replaceAll('share-link', 'nothing')]);
    expect(body).toMatch(/<html lang="fr" dir="ltr">.*<h1>Page introuvable<\/h1>/s);
    expect(body).not.toMatch(/quokka|Second|Guide|Acme/);
    expect(headers['x-robots-tag']).toBe('noindex');
    const styles = /href="([^"]*\.css)"/.exec(nowhere.body)?.[1] ?? '';
    expect((await sites.get(styles)).headers['content-type']).toContain('text/css');
  });

  test('reads why, as a page or as a line of text', async () => {
    const page = await open('visitor-auth', 'nobody', { path: '', headers: people });
    expect([page.statusCode, page.headers['cache-control']]).toEqual([403, 'private, no-store']);
    expect(page.body).toContain('<p lang="en" dir="ltr">This site is only for people who are signed in');
    expect(page.body).not.toMatch(/quokka|Guide|Acme/);
    const text = await open('visitor-auth', 'nobody', { path: '' });
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.body).toMatch(/^This site is only .*\n$/);
  });
});
