import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { wrapText } from '../../src/sites/social/social-card.ts';
import { updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let params: { readonly organizationId: string; readonly siteId: string };

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({
    'README.md': '---\ndescription: What <this> & that is\n---\n\n# Welcome to "the" <docs>\n',
    'cjk.md': '# 安装程序\n',
    'emoji.md': `# ${'Very long title 🎉 '.repeat(40)}\n`,
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
  params = { organizationId: platform.organizationId, siteId: site.id };
});
afterAll(() => sites.close());

async function pictureOf(path: string): Promise<string | undefined> {
  const { body } = await sites.get(`/s/acme/docs${path}`);
  return /<meta property="og:image" content="([^"]*)">/.exec(body)?.[1];
}

describe('the picture of a page', () => {
  test.each(['', '/emoji'])('of %j is drawn and kept', async (path) => {
    const address = new URL((await pictureOf(path)) ?? '').pathname;
    const { statusCode, headers, rawPayload } = await sites.get(address);
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(rawPayload.length).toBeLessThan(200_000);
    expect((await sites.get(address)).rawPayload).toEqual(rawPayload);
  });

  test('is not drawn of letters that its font does not have', async () => {
    expect(await pictureOf('/cjk')).toBeUndefined();
  });

  test('has another address when it changes, and gives way to a chosen one', async () => {
    const { client } = sites.platform;
    const first = await pictureOf('');
    const look = await client.call(operations.getSiteCustomization, { params });
    await client.call(operations.updateSiteCustomization, { params, body: { ...look, title: 'Another' } });
    await waitFor(async () => (await pictureOf('')) !== first);
    const url = 'https://cdn.example/card.png';
    await client.call(operations.updateSiteCustomization, {
      params,
      body: { ...look, socialPreview: { url } },
    });
    await waitFor(async () => (await pictureOf('')) === url);
  });

  test('is named only where everybody may see it', async () => {
    await updateSite(sites.platform.deps.db, params.siteId, { publishedAt: null });
    sites.isMember = true;
    await waitFor(async () => (await pictureOf('')) === undefined);
    sites.isMember = false;
  });
});

test.each([
  ['one two three', 100, 3, ['one two three']],
  ['one two three', 4, 3, ['one', 'two', 'three']],
  ['one two three four', 4, 3, ['one', 'two', 'three…']],
  ['a\u0000\n b', 100, 1, ['a b']],
  ['', 100, 3, []],
])('the text %j in lines of %i is %j', (text, width, maxLines, lines) => {
  expect(wrapText(text, width, maxLines)).toEqual(lines);
});
