import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadFormat } from '../../src/content/formats/index.ts';
import { detectRenames, type FormatName, type ReadBlobs } from '../../src/content/index.ts';
import { findLostAddresses, type LostAddress } from '../../src/content/move/index.ts';
import { applyEdits } from '../../src/content/text/index.ts';
import { analysisOf, treeOf } from './analysis-of.ts';

interface LostCase {
  readonly name: string;
  readonly format: FormatName;
  readonly base: Readonly<Record<string, string>>;
  readonly head: Readonly<Record<string, string>>;
  readonly lost: readonly string[];
}

const cases: readonly LostCase[] = parse(
  readFileSync(new URL('../../fixtures/content/lost-addresses.yaml', import.meta.url), 'utf8'),
);

describe('addresses that a change removes', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const renames = detectRenames(treeOf({ files: one.base }).tree, treeOf({ files: one.head }).tree);
    const [before, after] = [await sideOf(one.format, one.base), await sideOf(one.format, one.head)];
    const { addresses, edit } = await findLostAddresses(before, after, renames);
    expect(addresses.map(tell)).toEqual(one.lost);
    expect(edit === null).toBe(addresses.every(({ redirect }) => redirect === null));
    if (edit === null) return;
    // Where the redirects are written as the edit says, those that have one are not lost any more.
    const { file, isNew } = edit;
    expect(isNew).toBe(one.head[file] === undefined);
    const head = { ...one.head, [file]: applyEdits(one.head[file] ?? '', [edit]) };
    const left = await findLostAddresses(before, await sideOf(one.format, head), renames);
    expect(left).toEqual({ addresses: addresses.filter(({ redirect }) => redirect === null), edit: null });
  });
});

it('writes no redirect where the file of redirects is a symbolic link', async () => {
  const base = { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A\n\nText.\n' };
  const head = { 'SUMMARY.md': '* [A](b.md)\n', 'b.md': '# A\n\nText.\n' };
  const links = { '.gitbook.yaml': 'kept/elsewhere.yaml' };
  const lost = await findLostAddresses(await sideOf('gitbook', base), await sideOf('gitbook', head, links), [
    { from: 'a.md', to: 'b.md' },
  ]);
  expect(lost).toMatchObject({ addresses: [{ address: '/a', redirect: { to: 'b.md' } }], edit: null });
});

async function sideOf(
  name: FormatName,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
) {
  const { tree, blobs } = treeOf({ files, links });
  const read: ReadBlobs = async function* (entries) {
    for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid) ?? '') };
  };
  return { tree, read, space: analysisOf({ files }, { name, format: await loadFormat(name) }) };
}

function tell({ address, file, now, redirect }: LostAddress): string {
  return [
    `${address} (${file})`,
    now === null ? 'gone' : now.address,
    ...(redirect === null ? [] : [`${redirect.file} ${redirect.from}: ${redirect.to}`]),
  ].join(' > ');
}
