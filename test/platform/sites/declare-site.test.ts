import { afterAll, beforeAll, expect, test } from 'vitest';
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

async function createSpace(title: string): Promise<string> {
  const path = `/orgs/${platform.organizationId}/spaces`;
  return (await platform.api('POST', path, { body: { title } })).body.id;
}

async function declare(source: string, body: object, status = 200) {
  const answer = await platform.api('POST', `${sites}/declare`, { body: { source, ...body } });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
  return answer.body;
}

/** The titles of a site's sections or, without sections, of its spaces, the default one with a star. */
async function outline(siteId: string): Promise<readonly string[]> {
  const { structure } = (await platform.api('GET', `${sites}/${siteId}/structure`)).body;
  return structure.map((item: { title: string; path: string; default: boolean; siteSpaces?: [] }) =>
    [item.title, ...(item.default ? ['*'] : []), ...(item.siteSpaces ? [item.siteSpaces.length] : [])].join(
      ' ',
    ),
  );
}

test('a source makes its site once, and the same declaration again changes nothing', async () => {
  const guide = await createSpace('Guide');
  const declaration = { title: 'Lantern', sections: [{ spaces: [guide] }] };
  const { site, address } = await declare('github-1', declaration);
  expect(site).toMatchObject({ basename: 'lantern', published: false, visibility: 'public' });
  expect(missingFields(site)).toEqual([]);
  expect(address).toMatch(/^http:\/\/docs\.example\/s\/org-[0-9a-f]+\/lantern\/$/);
  expect(await outline(site.id)).toEqual(['Guide *']);

  const published = await declare('github-1', { ...declaration, audience: 'unlisted' });
  expect(published.site).toMatchObject({ id: site.id, published: true, visibility: 'unlisted' });
  expect(published.site.urls.published).toBe(address);
  const events = async () =>
    (await platform.api('GET', `/orgs/${platform.organizationId}/audit?limit=1000`)).body.count;
  const before = await events();
  await declare('github-1', declaration);
  await declare('github-1', { ...declaration, audience: 'unlisted' });
  expect(await events()).toBe(before);
});

test('what the declaration names is put back, and what it does not name stays', async () => {
  const [a, b, c] = [
    await createSpace('A space'),
    await createSpace('B space'),
    await createSpace('C space'),
  ];
  const declaration = {
    title: 'Kept',
    basename: 'kept',
    audience: 'public',
    sections: [{ title: 'First', spaces: [a] }, { spaces: [b] }],
    customization: { styling: { corners: 'circular' } },
  };
  const { site } = await declare('github-2', declaration);
  const path = `${sites}/${site.id}`;
  expect(await outline(site.id)).toEqual(['First * 1', 'B space 1']);

  await platform.api('PATCH', path, {
    body: { title: 'Other', basename: 'other', agentsContext: 'included' },
  });
  await platform.api('POST', `${path}/unpublish`);
  await platform.api('PUT', `${path}/customization`, {
    body: { styling: { corners: 'straight', theme: 'bold' } },
  });
  const { structure } = (await platform.api('GET', `${path}/structure`)).body;
  await platform.api('PATCH', `${path}/sections/${structure[0].id}`, { body: { title: 'Changed' } });
  await platform.api('PATCH', `${path}/sections/${structure[1].id}`, { body: { title: 'Named by hand' } });
  await platform.api('POST', `${path}/sections`, { body: { spaceId: c, title: 'Added by hand' } });
  await platform.api('POST', `${path}/sections/${structure[1].id}/move`, {
    body: { position: { before: { type: 'site-section', siteSection: structure[0].id } } },
  });

  const again = await declare('github-2', declaration);
  expect(again.site).toMatchObject({
    id: site.id,
    title: 'Kept',
    basename: 'kept',
    published: true,
    agentsContext: 'included',
  });
  expect(await outline(site.id)).toEqual(['First * 1', 'Named by hand 1', 'Added by hand 1']);
  expect((await platform.api('GET', `${path}/customization`)).body.styling).toMatchObject({
    corners: 'circular',
    theme: 'bold',
  });
});

test('spaces come and go with the declaration, in its order, also as variants of a section', async () => {
  const [now, old, api] = [await createSpace('Now'), await createSpace('Old'), await createSpace('API')];
  const body = (...sections: object[]) => ({ title: 'Versions', sections });
  const { site } = await declare('github-3', body({ spaces: [now] }));
  await declare('github-3', body({ spaces: [now, old] }));
  expect(await outline(site.id)).toEqual(['Now *', 'Old']);
  await declare('github-3', body({ spaces: [api] }, { spaces: [old, now] }));
  expect(await outline(site.id)).toEqual(['API * 1', 'Now 2']);
  await declare('github-3', body({ spaces: [now] }, { spaces: [api] }));
  expect(await outline(site.id)).toEqual(['Now * 1', 'API 1']);
  await declare('github-3', body({ spaces: [now] }));
  expect(await outline(site.id)).toEqual(['Now * 1']);
});

test('a basename that another site has is refused in one sentence, and nothing is changed', async () => {
  const space = await createSpace('Mine');
  const sections = [{ spaces: [space] }];
  await declare('github-4', { title: 'First come', basename: 'taken', sections });
  const refused = await declare('github-5', { title: 'Second', basename: 'taken', sections }, 409);
  expect(refused.error.message).toBe(
    'The basename taken belongs to the site “First come” already: choose another one.',
  );
  const { items } = (await platform.api('GET', `${sites}?title=Second`)).body;
  expect(items).toEqual([]);
  const { site } = await declare('github-5', { title: 'Second', sections });
  await declare('github-5', { title: 'Third', basename: 'taken', sections }, 409);
  expect((await platform.api('GET', `${sites}/${site.id}`)).body).toMatchObject({ title: 'Second' });
});

test('who may create content makes a site for members; to publish it takes an administrator', async () => {
  const space = await createSpace('Shared');
  const { token } = await createMember(platform, 'Writer', { role: 'create' });
  const call = (audience: string) =>
    platform.api('POST', `${sites}/declare`, {
      token,
      body: { source: 'github-6', title: 'Mine', audience, sections: [{ spaces: [space] }] },
    });
  expect((await call('members')).status).toBe(200);
  expect(await call('public')).toMatchObject({ status: 403, body: { error: { reason: 'role-too-low' } } });
});
