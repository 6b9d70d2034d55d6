import { expect, it } from 'vitest';
import { findSimilar } from '../../src/content/index.ts';

const lines = (...some: readonly string[]) => some.map((line) => `${line}\n`).join('');
const ten = Array.from({ length: 10 }, (_, at) => `line number ${at}`);

interface Case {
  readonly name: string;
  readonly gone: Readonly<Record<string, string>>;
  readonly added: Readonly<Record<string, string>>;
  readonly renames: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'half of the bytes',
    gone: { 'a.md': lines(...ten) },
    added: { 'b.md': lines(...ten.slice(0, 5), 'x', 'y', 'z') },
    renames: ['a.md > b.md'],
  },
  {
    name: 'less than half',
    gone: { 'a.md': lines(...ten) },
    added: { 'b.md': lines(...ten.slice(0, 4)) },
    renames: [],
  },
  {
    name: 'the most alike first',
    gone: { 'a.md': lines(...ten), 'b.md': lines(...ten, 'more') },
    added: { 'c.md': lines(...ten, 'more', 'x'), 'd.md': lines(...ten, 'y') },
    renames: ['b.md > c.md', 'a.md > d.md'],
  },
  {
    name: 'the same name when equally alike',
    gone: { 'old/a.md': lines(...ten, 'x'), 'old/b.md': lines(...ten, 'x') },
    added: { 'new/b.md': lines(...ten, 'y'), 'new/a.md': lines(...ten, 'y') },
    renames: ['old/a.md > new/a.md', 'old/b.md > new/b.md'],
  },
  {
    name: 'other ends of lines, and the last line without one',
    gone: { 'a.md': ten.join('\r\n') },
    added: { 'b.md': ten.join('\n') },
    renames: ['a.md > b.md'],
  },
  { name: 'empty files', gone: { 'a.md': '' }, added: { 'b.md': '' }, renames: [] },
];

it.each(cases)('$name', ({ gone, added, renames }) => {
  const files = (some: Readonly<Record<string, string>>) =>
    Object.entries(some).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const found = findSimilar(files(gone), files(added));
  expect(found.map(({ from, to }) => `${from} > ${to}`)).toEqual(renames);
});
