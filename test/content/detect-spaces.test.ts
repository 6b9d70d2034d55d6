import { describe, expect, it } from 'vitest';
import { type DetectedSpace, detectSpaces, spacesAmong, type TreeEntry } from '../../src/content/index.ts';
import { type SmallTree, treeOf } from './analysis-of.ts';
import { rowsOf } from './fixture-tables.ts';

interface DetectionCase extends SmallTree {
  readonly declared?: Parameters<typeof detectSpaces>[0]['declared'];
  /** `directory: format`, and the title in brackets where the files hold one. */
  readonly spaces: readonly string[];
  /** What is beside them, `role directory: format`; left out where only the files around them are. */
  readonly beside?: readonly string[];
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
    const tell = ({ directory, format, title }: DetectedSpace) =>
      `${directory || '.'}: ${format}${title === null ? '' : ` (${title})`}`;
    expect(spacesAmong(spaces).map(tell)).toEqual(one.spaces);
    const beside = spaces.filter(({ role }) => role !== 'space').map((part) => `${part.role} ${tell(part)}`);
    const isWhole = spacesAmong(spaces).some(({ directory }) => directory === '');
    expect(beside).toEqual(one.beside ?? (isWhole ? [] : ['rest .: github']));
  });
});
