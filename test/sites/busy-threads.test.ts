import { afterAll, beforeAll, expect } from 'vitest';
import { contentThreads } from '../../src/threads/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());

const page = (markdown: string) => ({
  markdown,
  dialect: '',
  reservedIds: '',
  addresses: new Map(),
  operations: new Map(),
  privateSpecs: new Set<string>(),
});

testAtLength(
  'while too many long pages wait, readers are told when to come again, and then see the page',
  async () => {
    const { platform } = sites;
    const spaceId = await platform.createSpace('Long');
    const { repo, url } = await platform.createRepo('long');
    const text = 'A line of a long page.\n\n'.repeat(400);
    await repo.commit({
      'book.toml': '',
      'src/SUMMARY.md': '* [Long](long.md)\n* [With a part](whole.md)\n',
      'src/long.md': `# Long\n\n${text}`,
      'src/whole.md': '# With a part\n\n{{#include part.txt}}\n',
      'src/part.txt': text,
    });
    await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
    await sites.addSpace(await sites.createSite('busy'), spaceId);
    const addresses = ['long', 'whole', 'whole.md'].map((path) => `/s/acme/busy/${path}`);
    const inApi = () =>
      fetch(`${platform.url}/v1/spaces/${spaceId}/content/path/whole?format=markdown`, {
        headers: { authorization: `Bearer ${platform.token}` },
      });

    // The slow ones use every thread, of which there are four at most, and the others wait for them. What ends is replaced, so
    // that as many as may wait do until the answers came, however fast the machine is.
    const slow = Array.from({ length: 4 }, (_, at) => `${at} ${'*a _b '.repeat(20_000)}`);
    const long = 'a\n\n'.repeat(2_000);
    let isBusy = true;
    const keepBusy = async (first: string) => {
      for (let markdown = first; isBusy; markdown = long) {
        const failure = await contentThreads.render(page(markdown)).then(
          () => null,
          (error: Error) => error.message,
        );
        if (failure?.startsWith('The server is busy')) return;
      }
    };
    const busy = Promise.all([...slow, ...Array(110).fill(long)].map(keepBusy));
    for (const address of addresses) {
      const { statusCode, headers, body } = await sites.get(address);
      expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([
        503,
        '5',
        'private, no-store',
      ]);
      expect(body).toMatch(/^The server is busy .* Open it again in a moment\.\n$/);
    }
    const refused = await inApi();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    isBusy = false;
    await busy;

    for (const address of addresses) {
      const { statusCode, body } = await sites.get(address);
      expect([statusCode, body.includes('A line of a long page.')]).toEqual([200, true]);
    }
    expect((await inApi()).status).toBe(200);
  },
);
