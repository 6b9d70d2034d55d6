/** The look of a site on the dashboard, by a browser's requests: the form, and the sample that is shown of it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let cookie: string;
let at: { readonly organizationId: string; readonly siteId: string };
let look: string;
beforeAll(async () => {
  pages = await startPages();
  cookie = await pages.signIn();
  const { organizationId } = pages.platform;
  const space = await pages.platform.createSpace('Guide');
  const fields = { title: 'Help', visibility: 'public', space };
  const made = await pages.post(`/orgs/${organizationId}/sites/new`, fields, { cookie });
  const site = made.headers.get('location') ?? '';
  at = { organizationId, siteId: site.split('/').at(-1) ?? '' };
  look = `${site}/look`;
});
afterAll(() => pages?.close());

/** The fields as the form of the page has them, and what somebody changed. */
async function fill(
  changes: Readonly<Record<string, string | null>>,
  path = look,
): Promise<Record<string, string>> {
  const page = await (await pages.get(path, { cookie })).text();
  const values: Record<string, string | null> = {};
  for (const [tag] of page.matchAll(/<input [^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const isOff = tag.includes('type="checkbox"') && !tag.includes(' checked');
    if (name !== undefined && !isOff) values[name] = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  for (const [, name = '', options = ''] of page.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  ))
    values[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? '';
  for (const [, name = '', text = ''] of page.matchAll(
    /<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)<\/textarea>/gs,
  ))
    values[name] = text;
  return Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter((field): field is [string, string] => field[1] !== null),
  );
}
const send = async (changes: Readonly<Record<string, string | null>>, part = '') =>
  pages.post(`${look}${part}`, await fill(changes), { cookie });
const saved = () => pages.platform.client.call(operations.getSiteCustomization, { params: at, query: {} });

test('saving what was not changed changes nothing', async () => {
  const before = await saved();
  expect(before.themes.system).toBe(true);
  expect((await send({})).status).toBe(303);
  expect(await saved()).toEqual(before);
});

test('what is chosen is saved, and what the form does not have stays', async () => {
  const links = [{ title: 'Menu', to: null, links: [] }];
  await pages.platform.client.call(operations.updateSiteCustomization, {
    params: at,
    body: {
      header: { links },
      styling: { font: 'Lato' },
      ai: { mode: 'assistant' },
      themes: { default: 'light' },
    },
  });
  const changes = {
    light: '#aa0000',
    theme: 'dark',
    toggle: null,
    corners: 'straight',
    message: 'Moved',
    pdf: null,
  };
  expect(
    (await send({ ...changes, title: 'Manual', logo: 'https://pictures.example/logo.svg' })).status,
  ).toBe(303);
  expect(await saved()).toMatchObject({
    title: 'Manual',
    styling: { primaryColor: { light: '#aa0000' }, corners: 'straight', font: 'Lato' },
    header: { logo: { light: 'https://pictures.example/logo.svg' }, links },
    themes: { default: 'dark', toggeable: false, system: false },
    announcement: { enabled: true, message: 'Moved', style: 'info' },
    ai: { mode: 'assistant' },
    pdf: { enabled: false },
    feedback: { enabled: true },
  });
  const page = await (await pages.get(look, { cookie })).text();
  expect(page).not.toContain('name="links"');
  await send({ ai: null, theme: 'system', title: '', logo: '', logoDark: '', message: '' });
  const after = await saved();
  expect(after).toMatchObject({ ai: { mode: 'none' }, themes: { system: true }, header: { links } });
  expect([after.title, after.header.logo, after.announcement]).toEqual([undefined, undefined, undefined]);
  await pages.platform.client.call(operations.updateSiteCustomization, { params: at, body: {} });
  await send({ links: 'Our blog https://example.com/blog\n\n Help  https://example.com/help' });
  expect((await saved()).header.links.map(({ title, to }) => [title, to])).toEqual([
    ['Our blog', { kind: 'url', url: 'https://example.com/blog' }],
    ['Help', { kind: 'url', url: 'https://example.com/help' }],
  ]);
  await pages.platform.client.call(operations.updateSiteCustomization, { params: at, body: {} });
});

test('groups of the footer and the link of the announcement are entered as lines', async () => {
  const groups =
    'Community\r\nOur forum https://example.com/forum\r\n\r\n\r\nLegal \r\n Terms  https://example.com/terms\n';
  const url = 'https://example.com/moved';
  expect((await send({ groups, message: 'Moved', messageLink: url })).status).toBe(303);
  const link = (title: string, path: string) => ({
    ...{ title, to: { kind: 'url', url: `https://example.com/${path}` } },
  });
  const before = await saved();
  expect([before.footer.groups, before.announcement?.link]).toEqual([
    [
      { title: 'Community', links: [link('Our forum', 'forum')] },
      { title: 'Legal', links: [link('Terms', 'terms')] },
    ],
    link('Moved', 'moved'),
  ]);
  expect(await (await send({}, '/sample')).text()).toContain('Our forum');
  // Other words do not rename the link.
  await send({ message: 'Moved again' });
  expect((await saved()).announcement).toMatchObject({
    message: 'Moved again',
    link: link('Moved', 'moved'),
  });
  const refused = await (await send({ message: '' })).text();
  expect(refused).toContain('Enter the announcement that leads there, too.');
  await send({ groups: '', message: '', messageLink: '' });
  const after = await saved();
  expect([after.footer.groups, after.announcement]).toEqual([[], undefined]);
  // What lines cannot say stays, and the form says so.
  const to = { kind: 'page', page: 'somepage' };
  await pages.platform.client.call(operations.updateSiteCustomization, {
    params: at,
    body: {
      footer: { groups: [{ title: 'Pages', links: [{ title: 'First', to }] }] },
      announcement: { enabled: true, message: 'Read on', style: 'info', link: { title: 'On', to } },
    },
  });
  const page = await (await pages.get(look, { cookie })).text();
  expect(page).not.toMatch(/name="(groups|messageLink)"/);
  const kept = await saved();
  expect((await send({})).status).toBe(303);
  expect(await saved()).toEqual(kept);
  await pages.platform.client.call(operations.updateSiteCustomization, { params: at, body: {} });
});

test('a variant has what is changed for it, and follows its site in everything else', async () => {
  const { client } = pages.platform;
  const { structure } = await client.call(operations.getSiteStructure, { params: at });
  const siteSpaceId = structure[0]?.id ?? '';
  const variant = look.replace('/look', `/structure/variants/${siteSpaceId}/look`);
  const own = { params: { ...at, siteSpaceId }, query: {} };
  const ofVariant = () => client.call(operations.getSiteSpaceCustomization, own);
  const sendOwn = async (changes: Readonly<Record<string, string | null>>, part = '') =>
    pages.post(variant + part, await fill(changes, variant), { cookie });
  const rename = (title: string) =>
    client.call(operations.updateSiteCustomization, { params: at, body: { title, pdf: { enabled: false } } });

  expect(await (await pages.get(variant.replace(/\/look$/, ''), { cookie })).text()).toContain(variant);
  expect(await (await pages.get(variant, { cookie })).text()).toContain('Look of Guide');
  await rename('Manual');
  expect((await sendOwn({})).status).toBe(303);
  await rename('Handbook');
  expect(await ofVariant()).toEqual(await saved());
  const changes = { light: '#aa0000', links: 'Blog https://example.com/blog', message: 'Old', title: '' };
  expect((await sendOwn(changes)).headers.get('location')).toBe(`${variant}?done=saved`);
  const before = await ofVariant();
  expect(before).toMatchObject({
    title: 'Handbook',
    styling: { primaryColor: { light: '#aa0000' } },
    header: { links: [{ title: 'Blog' }] },
    announcement: { message: 'Old' },
    pdf: { enabled: false },
  });
  expect(await (await sendOwn({ title: 'Sample' }, '/sample')).text()).toContain('Sample');
  const logo = 'https://example.com/logo.svg';
  const pictures = async (changes: Readonly<Record<string, string | null>>) =>
    (await (await sendOwn({ logo, ...changes }, '/sample')).text()).split(logo).length - 1;
  expect([await pictures({}), await pictures({ showLogo: null })]).toEqual([2, 0]);
  expect((await sendOwn({ title: 'Ж' })).status).toBe(400);
  expect(await ofVariant()).toEqual(before);
  // As on the site again, one by one and all at once.
  await sendOwn({ links: '', message: '', corners: 'straight', showLogo: null });
  expect((await ofVariant()).header).toMatchObject({ showLogo: false });
  await sendOwn({ showLogo: 'on' });
  const site = await saved();
  const { primaryColor } = before.styling;
  expect(await ofVariant()).toEqual({
    ...site,
    styling: { ...site.styling, primaryColor, corners: 'straight' },
  });
  expect((await sendOwn({}, '/reset')).headers.get('location')).toBe(`${variant}?done=reset`);
  expect(await ofVariant()).toEqual(site);
  expect((await pages.get(variant.replace(siteSpaceId, 'x'), { cookie })).status).toBe(404);
  await client.call(operations.updateSiteCustomization, { params: at, body: {} });
});

test('what cannot be used is refused beside its field, and never shown', async () => {
  const hostile = 'red;}body{background:url(https://evil.example)}';
  for (const [name, value, sentence] of [
    ['light', hostile, 'It must be a color such as #06c or #0066cc.'],
    ['dark', '#12', 'It must be a color such as #06c or #0066cc.'],
    ['title', 'Ж', 'It must have at least 2 characters.'],
    ['logo', 'javascript:alert(1)', 'It must be an http or https address.'],
    ['logoDark', 'data:image/svg+xml,<svg/>', 'It must be an http or https address.'],
    ['icon', 'https://a.example/"onload=x', 'It must be an http or https address.'],
    [
      'links',
      'Blog javascript:alert(1)',
      'Link 1 must be a title and, after a space, an http or https address.',
    ],
    ['groups', 'Blog https://a.example/blog', 'Group 1 must begin with a title on a line of its own.'],
    [
      'groups',
      'Legal\nTerms javascript:alert(1)',
      'Link 1 of “Legal” must be a title and, after a space, an http or https address.',
    ],
    ['groups', 'x'.repeat(65), 'A title or link must have at most 64 characters.'],
    ['messageLink', 'javascript:alert(1)', 'It must be an http or https address.'],
    ['message', 'x'.repeat(129), 'It must have at most 128 characters.'],
    ['copyright', 'x'.repeat(301), 'It must have at most 300 characters.'],
    ['socialPicture', 'ftp://a.example/b', 'It must be an http or https address.'],
  ] as const) {
    const before = await saved();
    const answer = await send({ [name]: value });
    const page = await answer.text();
    expect([name, answer.status]).toEqual([name, 400]);
    const shown = sentence.replaceAll("'", '&#39;');
    expect([name, new RegExp(`id="docloom-${name}-problem" role="alert">([^<]*)`).exec(page)?.[1]]).toEqual([
      name,
      shown,
    ]);
    expect(await saved()).toEqual(before);
    const sample = await send({ [name]: value }, '/sample');
    const text = await sample.text();
    expect([name, sample.status, text.includes(sentence), text.includes(value)]).toEqual([
      name,
      200,
      true,
      false,
    ]);
    expect(sample.headers.get('content-security-policy')).not.toMatch(/evil|a\.example|javascript/);
  }
  const corners = await send({ corners: 'sharp' });
  expect([corners.status, await corners.text()]).toEqual([
    400,
    expect.stringContaining('styling/corners must be straight'),
  ]);
});

test('the sample has what was entered, runs nothing, is kept by nobody and saves nothing', async () => {
  const before = await saved();
  const entered = {
    light: '#ffcc00',
    title: 'A <b>bold</b> name',
    shown: 'light',
    copyright: '</style><script>x()</script>',
  };
  const answer = await send(
    { ...entered, logo: '', message: 'Soon', links: 'Blog https://example.com/blog' },
    '/sample',
  );
  const page = await answer.text();
  expect(await saved()).toEqual(before);
  expect(page).toContain('--fill:light-dark(#ffcc00,');
  expect(page).toContain('A &#60;b&#62;bold&#60;/b&#62; name');
  expect(page).toMatch(/contrast of this color with the light background is 1\.\d:1; text needs 4\.5:1/);
  expect(page).toContain('Soon');
  expect(page).not.toMatch(/<script|example\.com|<link /);
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox`,
  );
  expect([answer.headers.get('cache-control'), answer.headers.get('x-frame-options')]).toEqual([
    'no-store',
    'SAMEORIGIN',
  ]);
  const dark = await (await send({ ...entered, shown: 'dark' }, '/sample')).text();
  expect(dark).toContain('data-theme="dark"');
  expect(dark).not.toContain('contrast of this color');
  const logo = await send({ logo: 'https://pictures.example/logo.svg' }, '/sample');
  expect(logo.headers.get('content-security-policy')).toContain('img-src data: https://pictures.example;');
});

test('the page frames its own sample only, is framed by nobody, and loads little script', async () => {
  const answer = await pages.get(look, { cookie });
  const page = await answer.text();
  expect(answer.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'; frame-src 'self'$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  let bytes = 0;
  for (const [, src] of page.matchAll(/<script [^>]*src="([^"]+)"/g))
    bytes += (await (await pages.get(src ?? '')).arrayBuffer()).byteLength;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(60_000);
});
