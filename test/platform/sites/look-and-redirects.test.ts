import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/index.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { missingFields } from './client-shapes.ts';

let platform: TestPlatform;
let site: string;
let siteSpace: string;
let sectionId: string;
let pageId: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  const { api, organizationId } = platform;
  const spaceId = await platform.createSpace('Guide');
  const changes = `/spaces/${spaceId}/change-requests`;
  const { id } = (await api('POST', changes, { body: { subject: 'Pages' } })).body;
  const written = [
    { type: 'write', path: 'README.md', text: '# Guide\n' },
    { type: 'write', path: 'set-up/first steps.md', text: '# First\n' },
  ];
  await api('POST', `${changes}/${id}/content`, { body: { changes: written } });
  await api('POST', `${changes}/${id}/merge`);
  const { pages } = (await api('GET', `/spaces/${spaceId}/content/pages`)).body;
  pageId = findPage(pages, 'First') ?? '';
  const body = { title: 'Docs', visibility: 'public', spaces: [spaceId] };
  site = `/orgs/${organizationId}/sites/${(await api('POST', `/orgs/${organizationId}/sites`, { body })).body.id}`;
  sectionId = (
    await tell('POST', '/sections', { spaceId: await platform.createSpace('API'), title: 'API' }, 201)
  ).id;
  siteSpace = (await tell('GET', '/site-spaces')).items[0].id;
  await tell('POST', '/publish');
});
afterAll(() => platform.close());

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly pages: readonly Listed[];
}

function findPage(pages: readonly Listed[], title: string): string | undefined {
  const found = pages.find((page) => page.title === title);
  return found?.id ?? pages.flatMap((page) => findPage(page.pages, title) ?? [])[0];
}

async function tell(method: string, path: string, body?: unknown, status = 200) {
  const answer = await platform.api(method, `${site}${path}`, body === undefined ? {} : { body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
  expect(missingFields(answer.body)).toEqual([]);
  return answer.body;
}

describe('the look of a site', () => {
  test('has a default for everything, and what was chosen goes before it', async () => {
    const look = await tell('GET', '/customization');
    const profile = await tell('GET', '/published');
    expect(profile.customizations).toEqual({ site: look, siteSpaces: {} });
    const icon = { light: 'https://acme.example/icon.png', dark: 'https://acme.example/icon.png' };
    const chosen = {
      title: 'Acme Docs',
      styling: { theme: 'bold', primaryColor: { light: '#060', dark: '#6c6' }, sidebar: { list: 'pill' } },
      favicon: { icon },
    };
    const changed = await tell('PUT', '/customization', chosen);
    expect(changed).toMatchObject({ ...chosen, styling: { ...chosen.styling, corners: 'rounded' } });
    expect(changed.styling.sidebar).toEqual({ background: 'default', list: 'pill' });
    expect(await tell('PUT', '/customization', changed)).toEqual(changed);
    expect((await tell('GET', '')).icon).toEqual({ icon });
    expect(await tell('PUT', '/customization', {})).toEqual(look);
  });

  test('is that of its spaces, but for what they choose', async () => {
    await tell('PUT', '/customization', { styling: { theme: 'muted', corners: 'straight' } });
    const path = `/site-spaces/${siteSpace}/customization`;
    const look = await tell('PATCH', path, { title: 'Guide 2', styling: { theme: 'gradient' } });
    expect(look).toMatchObject({ title: 'Guide 2', styling: { theme: 'gradient', corners: 'straight' } });
    expect(await tell('GET', path)).toEqual(look);
    expect((await tell('GET', '/published')).customizations.siteSpaces).toEqual({ [siteSpace]: look });
    expect((await tell('GET', '/site-spaces')).items[0]).toMatchObject({
      title: 'Guide 2',
      hasAdvancedCustomizationFeature: true,
    });
    const back = await tell('PATCH', path, { title: null, styling: { theme: null, depth: 'flat' } });
    expect(back).toMatchObject({ styling: { theme: 'muted', depth: 'flat' } });
    await tell('DELETE', path, undefined, 204);
    expect(await tell('GET', path)).toEqual(await tell('GET', '/customization'));
  });

  test.each([
    ['a theme of nobody', { styling: { theme: 'neon' } }],
    ['a color that is more than one', { styling: { primaryColor: { light: 'red;}', dark: '#000' } } }],
    [
      'a link that runs a script',
      { header: { links: [{ title: 'X', to: { kind: 'url', url: 'javascript:1' }, links: [] }] } },
    ],
    [
      'a condition without a value',
      { header: { links: [{ title: 'X', to: null, links: [], condition: 'a +' }] } },
    ],
    ['an unknown field', { styling: { css: '*{}' } }],
  ])('does not take %s', async (_what, body) => {
    await tell('PUT', '/customization', body, 400);
  });
});

describe('redirects', () => {
  const toSection = () => ({ kind: 'site-section', siteSectionId: sectionId });

  test('lead to sections, spaces and pages, the nearest one first', async () => {
    const all = await tell('POST', '/redirects', { source: '/old/*', destination: toSection() }, 201);
    const destination = { kind: 'site-page', siteSpaceId: siteSpace, pageId };
    const page = await tell('POST', '/redirects', { source: '/old/start', destination }, 201);
    const targetOf = async (source: string) =>
      (await tell('GET', `/redirect?source=${encodeURIComponent(source)}`)).target;
    const base = (await tell('GET', '')).urls.published;
    const first = await targetOf('/old/start');
    expect(first).toMatch(new RegExp(`^${base}set-up/first`));
    expect(await targetOf('/old/start/more')).toBe(`${base}api`);
    expect(await targetOf('/old')).toBe(`${base}api`);
    await tell('GET', '/redirect?source=/older', undefined, 404);
    const { token } = await createMember(platform, 'Reader', {});
    const read = await platform.api('GET', `${site}/redirect?source=/old/start`, { token });
    expect(read).toMatchObject({ status: 200, body: { redirect: { id: page.id } } });

    const found = await tell('GET', '/redirects?search=START');
    expect(found).toMatchObject({ count: 1, items: [{ id: page.id, source: '/old/start', destination }] });
    await tell('PATCH', `/redirects/${page.id}`, { source: '/old/*' }, 409);
    await tell('PATCH', `/redirects/${page.id}`, { source: '/begin' });
    expect(await targetOf('/begin')).toBe(first);
    await tell('DELETE', `/redirects/${all.id}`, undefined, 204);
    await tell('GET', '/redirect?source=/old/start', undefined, 404);
  });

  test('that lead nowhere are listed', async () => {
    const { db } = platform.deps;
    const made = [];
    for (const destination of [
      { kind: 'site-section', siteSectionId: sectionId },
      { kind: 'site-space', siteSpaceId: siteSpace },
      { kind: 'site-page', siteSpaceId: siteSpace, pageId },
    ])
      made.push((await tell('POST', '/redirects', { source: `/from/${made.length}`, destination }, 201)).id);
    const listed = async (dead: boolean) => {
      const { items, count } = await tell('GET', `/redirects?search=/from/&dead=${dead}`);
      expect(count).toBe(items.length);
      return items.map(({ id }: { id: string }) => id);
    };
    expect([await listed(true), await listed(false)]).toEqual([[], made]);
    const gone = [
      { kind: 'site-section', siteSectionId: 'gone' },
      { kind: 'site-space', siteSpaceId: 'gone' },
      { kind: 'site-page', siteSpaceId: siteSpace, pageId: 'gone' },
    ];
    // What they led to is gone.
    for (const [at, destination] of gone.entries())
      await db
        .update(tables.siteRedirects)
        .set({ destination })
        .where(eq(tables.siteRedirects.id, made[at] ?? ''));
    expect([await listed(true), await listed(false)]).toEqual([made, []]);
    for (const id of made) await tell('DELETE', `/redirects/${id}`, undefined, 204);
  });

  test.each([
    ['a source without a slash', 'old', toSection, 400],
    ['a source with a query', '/old?x', toSection, 400],
    ['a section of nobody', '/gone', () => ({ kind: 'site-section', siteSectionId: 'nosuch' }), 400],
    [
      'a page of nobody',
      '/gone',
      () => ({ kind: 'site-page', siteSpaceId: siteSpace, pageId: 'nosuch' }),
      400,
    ],
    ['its own target', '/api', toSection, 400],
    ['what is above its target', '/api/*', toSection, 400],
  ])('are refused for %s', async (_what, source, destination, status) => {
    await tell('POST', '/redirects', { source, destination: destination() }, status);
  });
});
