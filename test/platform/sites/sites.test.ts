import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { missingFields } from './client-shapes.ts';

let platform: TestPlatform;
let sites: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  sites = `/orgs/${platform.organizationId}/sites`;
});
afterAll(() => platform.close());

async function createSpace(title: string, pages: readonly string[] = []): Promise<string> {
  const { api, organizationId } = platform;
  const { id } = (await api('POST', `/orgs/${organizationId}/spaces`, { body: { title } })).body;
  if (pages.length === 0) return id;
  const path = `/spaces/${id}/change-requests`;
  const { id: change } = (await api('POST', path, { body: { subject: 'Pages' } })).body;
  const changes = pages.map((page) => ({ type: 'write', path: page, text: `# ${page}\n` }));
  await api('POST', `${path}/${change}/content`, { body: { changes } });
  await api('POST', `${path}/${change}/merge`);
  return id;
}

async function createSite(body: object = {}) {
  const answer = await platform.api('POST', sites, {
    body: { title: 'Docs', visibility: 'public', ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function tell(method: string, path: string, body?: unknown, status = 200) {
  const answer = await platform.api(method, `${sites}/${path}`, body === undefined ? {} : { body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
  expect(missingFields(answer.body)).toEqual([]);
  return answer.body;
}

test('a site goes from its creation to its readers and back', async () => {
  const space = await createSpace('Guide');
  const made = await createSite({ title: 'Acme Docs', spaces: [space] });
  expect(made).toMatchObject({
    object: 'site',
    type: 'basic',
    basename: 'acme-docs',
    published: false,
    siteSpaces: 1,
    adaptiveContent: { enabled: false },
    agentsContext: 'excluded',
    features: [],
    permissions: { view: true, edit: true, admin: true },
  });
  expect(made.urls).not.toHaveProperty('published');
  expect((await createSite({ title: 'Acme Docs' })).basename).toBe('acme-docs-2');

  const published = await tell('POST', `${made.id}/publish`);
  const hex = Buffer.from(platform.organizationId).toString('hex');
  expect(published.urls.published).toBe(`http://docs.example/s/org-${hex}/acme-docs/`);
  const profile = await tell('GET', `${made.id}/published`);
  expect(profile).toMatchObject({
    site: { published: true },
    structure: { type: 'siteSpaces', structure: [{ default: true, space: { id: space }, title: 'Guide' }] },
    customizations: { siteSpaces: {} },
  });
  expect(profile.structure.structure[0].urls.published).toBe(published.urls.published);

  const proxied = await tell('PATCH', made.id, { proxy: 'acme.example/docs', basename: 'handbook' });
  expect(proxied).toMatchObject({
    proxy: { origin: 'acme.example/docs', target: `http://docs.example/s/org-${hex}/handbook/` },
    urls: { published: 'https://acme.example/docs/' },
  });
  expect((await tell('PATCH', made.id, { proxy: null })).proxy).toBeUndefined();
  expect((await tell('POST', `${made.id}/unpublish`)).published).toBe(false);
  await tell('DELETE', made.id, undefined, 204);
  await tell('DELETE', made.id, undefined, 204);
  await tell('GET', made.id, undefined, 404);
  expect((await platform.api('GET', `/spaces/${space}`)).status).toBe(200);
});

test('a site can stand for its organization, until it is deleted', async () => {
  const { id } = await createSite();
  const organization = `/orgs/${platform.organizationId}`;
  const body = { defaultContent: { type: 'site', site: id } };
  const changed = await platform.api('PATCH', organization, { body });
  expect(changed.body.defaultContent).toEqual(body.defaultContent);
  const elsewhere = (await platform.api('POST', '/orgs', { body: { title: 'Without it' } })).body.id;
  expect((await platform.api('PATCH', `/orgs/${elsewhere}`, { body })).status).toBe(400);
  await tell('DELETE', id, undefined, 204);
  expect((await platform.api('GET', organization)).body).not.toHaveProperty('defaultContent');
});

test('sites are listed by space, title, type, and whether they are published', async () => {
  const space = await createSpace('Listed');
  const first = await createSite({ title: 'Zebra one', spaces: [space], type: 'premium' });
  const second = await createSite({ title: 'zebra two' });
  await tell('POST', `${second.id}/publish`);
  const ids = async (query: string) =>
    (await tell('GET', `?${query}`)).items.map((item: { id: string }) => item.id);
  expect(await ids('title=ZEBRA')).toEqual([first.id, second.id]);
  expect(await ids(`space=${space}`)).toEqual([first.id]);
  expect(await ids('title=zebra&published=true')).toEqual([second.id]);
  expect(await ids('title=zebra&type=premium&type=ultimate')).toEqual([first.id]);
  expect(await ids('title=zebra&type=basic')).toEqual([second.id]);
  const page = await tell('GET', '?title=zebra&limit=1');
  expect(page).toMatchObject({ count: 2, items: [{ id: first.id }] });
  expect(await ids(`title=zebra&limit=1&page=${page.next.page}`)).toEqual([second.id]);
});

test.each([
  ['a title of one letter', { title: 'D', visibility: 'public' }],
  ['no visibility', { title: 'Docs' }],
  ['a space of nobody', { title: 'Docs', visibility: 'public', spaces: ['nosuch'] }],
])('a site is not made with %s', async (_what, body) => {
  expect((await platform.api('POST', sites, { body })).status).toBe(400);
});

test.each([
  ['a path as its basename', { basename: 'a/b' }, 400],
  ['a basename that begins with a hyphen', { basename: '-docs' }, 400],
  ['a proxy without a path', { proxy: 'acme.example' }, 400],
  ['a host without two dots', { hostname: 'example.com' }, 400],
  ['the host of the server', { hostname: 'docs.loom.example' }, 400],
  ['a section of another site', { defaultSiteSection: 'nosuch' }, 400],
  ['a space of another site', { defaultSiteSpace: 'nosuch' }, 400],
])('a site does not take %s', async (_what, body, status) => {
  const { id } = await createSite();
  if ('hostname' in body && body.hostname === 'docs.loom.example')
    Object.assign(platform.deps, { publicUrl: 'https://docs.loom.example' });
  await tell('PATCH', id, body, status);
  Object.assign(platform.deps, { publicUrl: 'http://docs.example' });
});

describe('addresses', () => {
  test('a basename and a host belong to one site', async () => {
    const taken = await createSite({ title: 'First of all' });
    await tell('PATCH', taken.id, { hostname: 'docs.acme.example' });
    const { id } = await createSite();
    const basename = await tell('PATCH', id, { basename: taken.basename }, 409);
    expect(basename.error).toMatchObject({ reason: 'address-taken' });
    expect(basename.error.message).toContain('“First of all”');
    const { organizationId } = platform;
    const proof = { organizationId, domain: 'acme.example', challenge: 'c', provedAt: new Date() };
    await platform.deps.db.insert(tables.emailDomains).values(proof);
    const host = await tell('PATCH', id, { hostname: 'docs.acme.example' }, 409);
    expect(host.error.reason).toBe('hostname-taken');
    await tell('PATCH', taken.id, { basename: taken.basename, hostname: 'docs.acme.example' });
  });

  testAtLength('a host belongs to a site once its domain is proved, and to no other', async () => {
    const [first, second] = [await createSite(), await createSite()];
    const hostname = 'docs.other.example';
    await tell('PATCH', first.id, { hostname });
    await tell('POST', `${first.id}/publish`);
    const pending = await tell('GET', first.id);
    expect(pending).toMatchObject({ hostname, hostnameStatus: 'pending' });
    expect(pending.urls.published).not.toContain(hostname);
    // Not proved, so the other one may have it.
    await tell('PATCH', second.id, { hostname });
    expect(await tell('GET', first.id)).not.toHaveProperty('hostname');
    await tell('PATCH', first.id, { hostname });

    const { organizationId, deps } = platform;
    const proof = { organizationId, domain: 'other.example', challenge: 'c', provedAt: new Date() };
    await deps.db.insert(tables.emailDomains).values(proof);
    const proved = await tell('GET', first.id);
    expect(proved).toMatchObject({ hostnameStatus: 'proved', urls: { published: `https://${hostname}/` } });
    await tell('PATCH', second.id, { hostname }, 409);
    await tell('PATCH', second.id, { hostname: 'notother.example.example' });
    expect((await tell('GET', second.id)).hostnameStatus).toBe('pending');

    // The record went missing for too long, or the claim was withdrawn.
    await deps.db
      .update(tables.emailDomains)
      .set({ provedAt: null })
      .where(eq(tables.emailDomains.domain, 'other.example'));
    expect((await tell('GET', first.id)).hostnameStatus).toBe('pending');
  });

  test('a section, a site-space and a page of one address are refused, with both names', async () => {
    const guide = await createSpace('Guide', ['README.md', 'setup.md', 'reference/README.md']);
    const { id } = await createSite({ spaces: [guide, await createSpace('Version 1')] });
    const { items } = await tell('GET', `${id}/site-spaces`);
    expect(items.map(({ path }: { path: string }) => path)).toEqual(['guide', 'version-1']);
    const page = await tell('PATCH', `${id}/site-spaces/${items[1].id}`, { path: 'setup' }, 409);
    expect(page.error.message).toMatch(/site-space “Version 1” and the page “setup.md” .* \/setup:/);
    await tell('PATCH', `${id}/site-spaces/${items[1].id}`, { path: 'guide' }, 409);
    await tell('PATCH', `${id}/site-spaces/${items[1].id}`, { path: 'v1.0' });

    const section = await tell(
      'POST',
      `${id}/sections`,
      { spaceId: await createSpace('Reference'), title: 'Reference' },
      201,
    );
    expect(section.path).toBe('reference-2'); // the default content has pages at /reference
    for (const [path, name] of [
      ['reference', 'the page “reference/README.md”'],
      ['v1.0', 'the site-space “Version 1”'],
      ['guide', 'the section “Guide”'],
    ]) {
      const answer = await tell('PATCH', `${id}/sections/${section.id}`, { path }, 409);
      expect(answer.error.reason).toBe('address-taken');
      expect(answer.error.message).toContain(name);
    }
    await tell('PATCH', `${id}/sections/${section.id}`, { path: 'api' });
    // Once its section is the default one, a page of that has the address.
    await tell('PATCH', `${id}/sections/${section.id}`, { path: 'other' });
  });

  test('defaults have no segment, and everything below a section has its own', async () => {
    const { id } = await createSite({ spaces: [await createSpace('Guide')] });
    await tell('POST', `${id}/publish`);
    const api = await tell('POST', `${id}/sections`, { spaceId: await createSpace('API') }, 201);
    const old = await tell(
      'POST',
      `${id}/site-spaces`,
      { spaceId: await createSpace('API 1'), sectionId: api.id },
      201,
    );
    const { structure, site } = await tell('GET', `${id}/published`);
    const base = site.urls.published;
    expect(structure).toMatchObject({
      type: 'sections',
      structure: [
        { title: 'Guide', default: true, urls: { published: base } },
        {
          title: 'API',
          default: false,
          urls: { published: `${base}api` },
          siteSpaces: [
            { default: true, urls: { published: `${base}api` } },
            { id: old.id, default: false, urls: { published: `${base}api/api-1` } },
          ],
        },
      ],
    });
    await tell('PATCH', id, { defaultSiteSection: api.id, defaultSiteSpace: old.id });
    const [guide, first] = (await tell('GET', `${id}/structure`)).structure;
    expect(guide.urls.published).toBe(`${base}guide`);
    expect(first).toMatchObject({
      default: true,
      siteSpaces: [{ urls: { published: `${base}api` } }, { default: true, urls: { published: base } }],
    });
  });
});

describe('the structure', () => {
  async function fill() {
    const { id } = await createSite();
    const sections: Record<string, string> = {};
    for (const title of ['One', 'Two', 'Three'])
      sections[title] = (
        await tell('POST', `${id}/sections`, { spaceId: await createSpace(title), title }, 201)
      ).id;
    return { id, sections };
  }

  interface Part {
    readonly title: string;
    readonly children?: readonly Part[];
  }
  const outline = (parts: readonly Part[]): unknown[] =>
    parts.map(({ title, children }) => (children ? { [title]: outline(children) } : title));
  const outlineOf = async (id: string) => outline((await tell('GET', `${id}/structure`)).structure);

  test('sections go into groups, out of them, and beside each other', async () => {
    const { id, sections } = await fill();
    const group = await tell(
      'POST',
      `${id}/section-groups`,
      { title: 'G', icon: 'book', sections: [sections['Three'], sections['One']] },
      201,
    );
    expect(group).toMatchObject({ title: 'G', icon: 'book', sections: [{}, {}] });
    expect(await outlineOf(id)).toEqual(['Two', { G: ['Three', 'One'] }]);
    const inner = await tell('POST', `${id}/section-groups`, { title: 'H', parent: group.id }, 201);
    await tell('POST', `${id}/section-groups/${inner.id}/sections`, { sectionId: sections['One'] }, 201);
    expect(await outlineOf(id)).toEqual(['Two', { G: ['Three', { H: ['One'] }] }]);

    const pointer = (title: string) => ({ type: 'site-section', id: sections[title] });
    await tell('PATCH', `${id}/structure/sort`, {
      item: pointer('Two'),
      position: { before: pointer('Three') },
    });
    expect(await outlineOf(id)).toEqual([{ G: ['Two', 'Three', { H: ['One'] }] }]);
    const nothing = { item: pointer('Two'), position: { before: pointer('Three') } };
    await tell('PATCH', `${id}/structure/sort`, nothing, 409);
    await tell(
      'PATCH',
      `${id}/structure/sort`,
      { item: { type: 'site-section-group', id: group.id }, position: { after: pointer('One') } },
      400,
    );
    await tell('POST', `${id}/sections/${sections['One']}/move`, {
      position: { after: { type: 'site-section', siteSection: sections['Two'] } },
    });
    expect(await outlineOf(id)).toEqual([{ G: ['Two', 'One', 'Three', { H: [] }] }]);
    await tell('POST', `${id}/section-groups/${inner.id}/move`, {
      position: { before: { type: 'site-section', id: sections['Two'] } },
    });
    await tell('DELETE', `${id}/section-groups/${group.id}/sections/${sections['Two']}`, undefined, 204);
    expect(await outlineOf(id)).toEqual([{ G: [{ H: [] }, 'One', 'Three'] }, 'Two']);
    await tell('DELETE', `${id}/section-groups/${group.id}`, undefined, 204);
    expect(await outlineOf(id)).toEqual([{ H: [] }, 'One', 'Three', 'Two']);
    const list = await tell('GET', `${id}/sections?limit=2`);
    expect(list).toMatchObject({ count: 3, items: [{ title: 'One' }, { title: 'Three' }] });
    const rest = await tell('GET', `${id}/sections?limit=2&page=${list.next.page}`);
    expect(rest.items).toMatchObject([{ title: 'Two' }]);
    expect((await tell('GET', `${id}/section-groups`)).items).toMatchObject([{ title: 'H' }]);
    const renamed = await tell('PATCH', `${id}/section-groups/${inner.id}`, { title: 'I', icon: null });
    expect(renamed.title).toBe('I');
  });

  test('variants keep to their section, and a deleted space is not there until it is restored', async () => {
    const { id } = await fill();
    const space = await createSpace('Two');
    const [section] = (await tell('GET', `${id}/sections`)).items;
    const added = await tell('POST', `${id}/site-spaces`, { spaceId: space }, 201);
    expect(added).toMatchObject({ section: section.id, path: 'two-2', default: false });
    const defaults = await tell('GET', `${id}/site-spaces?default=true`);
    expect(defaults.count).toBe(3);
    expect((await tell('GET', `${id}/site-spaces?default=false`)).items).toMatchObject([{ id: added.id }]);

    const [first, other] = defaults.items;
    const to = (siteSpace: string) => ({ position: { before: { type: 'site-space', siteSpace } } });
    await tell('POST', `${id}/site-spaces/${added.id}/move`, to(other.id), 400);
    await tell('POST', `${id}/site-spaces/${added.id}/move`, to(first.id));
    const moved = (await tell('GET', `${id}/sections`)).items[0];
    expect(moved.siteSpaces).toMatchObject([{ id: added.id, default: false }, { default: true }]);
    await tell('PATCH', `${id}/sections/${section.id}`, { defaultSiteSpace: added.id });

    await platform.api('DELETE', `/spaces/${space}`);
    const without = (await tell('GET', `${id}/sections`)).items[0];
    expect(without.siteSpaces).toMatchObject([{ id: first.id, default: true }]);
    await platform.api('POST', `/spaces/${space}/restore`);
    expect((await tell('GET', `${id}/sections`)).items[0].siteSpaces).toHaveLength(2);
    await tell('DELETE', `${id}/site-spaces/${added.id}`, undefined, 204);
    await tell('DELETE', `${id}/sections/${section.id}`, undefined, 204);
    expect(await outlineOf(id)).toEqual(['Two', 'Three']);
  });

  test.each([
    ['visitor.claims.plan == "pro"', 200],
    ['visitor.claims.unsigned.beta && !visitor.claims.guest', 200],
    ['visitor.claims.plan ==', 400],
    ['process.exit(1)', 400],
  ])('a condition is checked: %s', async (condition, status) => {
    const { id, sections } = await fill();
    const path = `${id}/sections/${sections['One']}`;
    const answer = await tell('PATCH', path, { condition }, status);
    if (status === 400) expect(answer.error.details[0].path).toBe('/body/condition');
    else expect((await tell('PATCH', path, { condition: null })).condition).toBeUndefined();
  });
});

describe('readers', () => {
  test('everybody with a token reads what a public site shows, and no more', async () => {
    const space = await createSpace('Guide');
    const { id } = await createSite({ spaces: [space] });
    const pro = await tell(
      'POST',
      `${id}/sections`,
      { spaceId: await createSpace('Pro'), title: 'Pro only' },
      201,
    );
    await tell('PATCH', `${id}/sections/${pro.id}`, { condition: 'visitor.claims.plan == "pro"' });
    const stranger = (await createMember(platform, 'Stranger', {})).token;
    const read = (path: string) => platform.api('GET', `${sites}/${id}${path}`, { token: stranger });
    expect((await read('/published')).status).toBe(404);
    await tell('POST', `${id}/publish`);
    const { body } = await read('/published');
    expect(missingFields(body)).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('Pro');
    const [{ space: shown }] = body.structure.structure[0].siteSpaces;
    expect(shown).toMatchObject({ id: space, permissions: { view: false, access: false } });
    expect((await read('/sections')).body.count).toBe(1);
    expect((await read('')).status).toBe(403);
    expect((await read('/section-groups')).status).toBe(403);
    expect((await platform.api('GET', `/spaces/${space}`, { token: stranger })).status).toBe(404);
    await tell('PATCH', id, { visibility: 'visitor-auth' });
    expect((await read('/published')).status).toBe(404);
  });

  test('who may change what a site shows must have the spaces, and only its administrators choose its readers', async () => {
    const space = await createSpace('Guide');
    const { id } = await createSite();
    const { token } = await createMember(platform, 'Creator', { role: 'create' });
    const as = (method: string, path: string, body?: unknown) =>
      platform.api(method, `${sites}/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
    expect((await as('POST', '/site-spaces', { spaceId: space })).status).toBe(201);
    expect((await as('PATCH', '', { title: 'Renamed' })).status).toBe(200);
    for (const body of [{ visibility: 'unlisted' }, { proxy: 'a.example/b' }, { hostname: 'a.b.example' }])
      expect((await as('PATCH', '', body)).status).toBe(403);
    expect((await as('POST', '/publish')).status).toBe(403);
    const foreign = (await platform.api('POST', '/orgs', { body: { title: 'Elsewhere' } })).body.id;
    const elsewhere = await platform.api('POST', `/orgs/${foreign}/spaces`, { body: { title: 'Theirs' } });
    await tell('POST', `${id}/site-spaces`, { spaceId: elsewhere.body.id }, 400);
  });
});
