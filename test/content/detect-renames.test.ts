import { describe, expect, it } from 'vitest';
import { detectRenames } from '../../src/content/index.ts';
import { treeOf } from './analysis-of.ts';

type Files = Readonly<Record<string, string>>;

const cases: readonly (readonly [string, Files, Files, readonly string[]])[] = [
  ['nothing', { 'a.md': 'a' }, { 'a.md': 'a' }, []],
  ['one moved file', { 'a.md': 'a' }, { 'b/a.md': 'a' }, ['a.md > b/a.md']],
  ['a copy is no rename', { 'a.md': 'a' }, { 'a.md': 'a', 'b.md': 'a' }, []],
  ['a changed file is not guessed', { 'a.md': 'a' }, { 'b.md': 'b' }, []],
  ['empty files say nothing', { 'a.md': '' }, { 'b.md': '' }, []],
  [
    'twins move with their folder',
    { 'a/x.md': 'same', 'a/y.md': 'same' },
    { 'b/x.md': 'same', 'b/y.md': 'same' },
    ['a/x.md > b/x.md', 'a/y.md > b/y.md'],
  ],
  ['twins with new names are not told apart', { 'a.md': 's', 'b.md': 's' }, { 'c.md': 's', 'd.md': 's' }, []],
  ['two files swap their names', { 'a.md': '1', 'b.md': '2' }, { 'a.md': '2', 'b.md': '1' }, []],
];

describe('detectRenames', () => {
  it.each(cases)('%s', (_name, base, head, expected) => {
    const renames = detectRenames(treeOf({ files: base }).tree, treeOf({ files: head }).tree);
    expect(renames.map(({ from, to }) => `${from} > ${to}`)).toEqual(expected);
  });
});
