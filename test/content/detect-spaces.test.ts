import { describe, expect, it } from 'vitest';
import { detectSpaces, type TreeEntry } from '../../src/content/index.ts';
import { type SmallTree, treeOf } from './analysis-of.ts';
import { rowsOf } from './fixture-tables.ts';

interface DetectionCase extends SmallTree {
  readonly declared?: Parameters<typeof detectSpaces>[0]['declared'];
  /** `directory: format`, and the title in brackets where the files hold one. */
  readonly spaces: readonly string[];
}

describe('detectSpaces', () => {
  it.each(rowsOf<DetectionCase>('detection.yaml'))('%s', async (_name, _format, one) => {
    const { tree, blobs } = treeOf(one);
    async function* read(entries: readonly TreeEntry[]) {
      for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid)) };
    }
    const spaces = await detectSpaces({
      tree,
      read,
      ...(one.declared === undefined ? {} : { declared: one.declared }),
    });
    const tell = spaces.map(
      ({ directory, format, title }) =>
        `${directory || '.'}: ${format}${title === null ? '' : ` (${title})`}`,
    );
    expect(tell).toEqual(one.spaces);
  });
});
