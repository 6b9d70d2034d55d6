import { expect, it } from 'vitest';
import { resolveAppAddress } from '../../../src/content/formats/gitbook/app-address.ts';
import type { PublishedSpace } from '../../../src/content/formats/gitbook/gitbook-pages.ts';
import { LayeredMap, treeIndexOf } from '../../../src/content/tree/index.ts';

class CountedMap<Key, Value> extends LayeredMap<Key, Value> {
  reads = 0;

  override *entries(): Iterable<readonly [Key, Value]> {
    this.reads += 1;
    yield* super.entries();
  }
}

it('reads the paths of a space once for all suggestions, not once for each', () => {
  const pages = Array.from({ length: 50 }, (_, at) => [`page-${at}`, `docs/page-${at}.md`] as const);
  const paths = new CountedMap<string, string | null>(
    new Map<string, string | null>([...pages, ['group', null], ['again', 'docs/page-1.md']]),
  );
  const config = { root: 'docs', readme: 'docs/README.md', summary: 'docs/SUMMARY.md', redirects: new Map() };
  const space = {
    paths,
    config,
    listed: new LayeredMap(new Map()),
    entries: null,
  } as unknown as PublishedSpace;
  const written = pages.map(([, file], at) => {
    const address = {
      spaceId: 'ref',
      path: `old-${at}`,
      prefix: 'https://app.gitbook.com/s/ref',
      anchor: 'x',
    };
    const resolution = resolveAppAddress('a.md', address, new Map([['ref', space]]), treeIndexOf([]));
    return resolution.kind === 'path' ? resolution.write(file) : null;
  });
  expect(written).toEqual(pages.map(([path]) => `https://app.gitbook.com/s/ref/${path}#x`));
  expect(paths.reads).toBe(1);
});
