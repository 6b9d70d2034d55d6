import { expect, it } from 'vitest';
import { nameContent } from '../../../src/platform/revisions/name-content.ts';

const known = [
  { kind: 'page', gitPath: 'a.md', id: 'A' },
  { kind: 'page', gitPath: 'b.md', id: 'B' },
  { kind: 'file', gitPath: 'p.png', id: 'P' },
];

function name(keepMoves: boolean, renames: { from: string; to: string }[] = []) {
  let next = 0;
  return nameContent({ known, renames, keepMoves, newId: () => `new${++next}` });
}

it('knows what it named before, by kind, and gives each new place one id', () => {
  const names = name(true);
  expect(names.idOf('page', 'a.md')).toBe('A');
  expect(names.idOf('file', 'a.md')).toBe('new1');
  expect(names.idOf('file', 'a.md')).toBe('new1');
  expect(names.changes()).toEqual({ left: [], given: [{ kind: 'file', gitPath: 'a.md', id: 'new1' }] });
});

it('lets an id move with its file; the old place starts anew', () => {
  const names = name(true, [
    { from: 'a.md', to: 'b.md' },
    { from: 'p.png', to: 'q.png' },
  ]);
  expect(names.idOf('page', 'b.md')).toBe('A');
  expect(names.idOf('file', 'q.png')).toBe('P');
  expect(names.idOf('page', 'a.md')).toBe('new1');
  expect(names.changes().left).toEqual([
    { kind: 'page', gitPath: 'a.md' },
    { kind: 'file', gitPath: 'p.png' },
  ]);
});

it('beside the content, moves nothing for the next revision', () => {
  const names = name(false, [{ from: 'a.md', to: 'c.md' }]);
  expect(names.idOf('page', 'c.md')).toBe('A');
  expect(names.changes()).toEqual({ left: [], given: [] });
});
