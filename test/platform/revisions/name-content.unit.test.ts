import { describe, expect, it } from 'vitest';
import { nameContent } from '../../../src/platform/revisions/name-content.ts';
import type { ContentId } from '../../../src/store/content-ids.ts';

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
  expect(names.changes()).toEqual({
    released: [],
    assigned: [{ kind: 'file', gitPath: 'a.md', id: 'new1' }],
  });
});

it('lets an id move with its file; the old place starts anew', () => {
  const names = name(true, [
    { from: 'a.md', to: 'b.md' },
    { from: 'p.png', to: 'q.png' },
  ]);
  expect(names.idOf('page', 'b.md')).toBe('A');
  expect(names.idOf('file', 'q.png')).toBe('P');
  expect(names.idOf('page', 'a.md')).toBe('new1');
  expect(names.changes().released).toEqual([
    { kind: 'page', gitPath: 'a.md' },
    { kind: 'file', gitPath: 'p.png' },
  ]);
});

it('beside the content, moves nothing for the next revision', () => {
  const names = name(false, [{ from: 'a.md', to: 'c.md' }]);
  expect(names.idOf('page', 'c.md')).toBe('A');
  expect(names.changes()).toEqual({ released: [], assigned: [] });
});

describe('names of a revision beside the content', () => {
  const beside = [
    { kind: 'page', gitPath: 'how/a.md', id: 'A' },
    { kind: 'page', gitPath: 'b.md', id: 'B' },
  ];
  const take = (
    keepMoves: boolean,
    names: readonly ContentId[],
    paths: readonly string[],
    older: readonly string[] = ['a.md', 'b.md'],
  ) =>
    nameContent({
      known,
      beside: {
        names,
        stood: (path) => older.includes(path),
        stands: (path) => paths.includes(path),
      },
      renames: [],
      keepMoves,
      newId: () => 'new',
    });

  it('stay with its files, and move nothing for the content', () => {
    const names = take(false, beside, ['how/a.md', 'b.md']);
    expect(names.idOf('page', 'how/a.md')).toBe('A');
    expect(names.changes()).toEqual({ released: [], assigned: [] });
  });

  it('are not taken from a new file at the old place, which leaves the name of the content alone', () => {
    const names = take(false, beside, ['how/a.md', 'a.md', 'b.md']);
    expect(names.idOf('page', 'a.md')).toBe('new');
    expect(names.changes()).toEqual({ released: [], assigned: [] });
    const after = [...beside, { kind: 'page', gitPath: 'a.md', id: 'new' }];
    const next = take(false, after, ['how/a.md', 'a.md', 'b.md']);
    expect([next.idOf('page', 'a.md'), next.idOf('page', 'how/a.md')]).toEqual(['new', 'A']);
  });

  it('become those of the content when it is merged', () => {
    const after = [...beside, { kind: 'page', gitPath: 'a.md', id: 'Z' }];
    const names = take(true, after, ['how/a.md', 'a.md', 'b.md']);
    expect([names.idOf('page', 'a.md'), names.idOf('page', 'how/a.md')]).toEqual(['Z', 'A']);
    expect(names.changes()).toEqual({
      released: [{ kind: 'page', gitPath: 'a.md' }],
      assigned: [
        { kind: 'page', gitPath: 'how/a.md', id: 'A' },
        { kind: 'page', gitPath: 'a.md', id: 'Z' },
      ],
    });
  });

  it('give way where the content moved the file on, and where the file went', () => {
    const moved = take(true, beside, ['how/a.md', 'a.md'], ['old/a.md']);
    expect([moved.idOf('page', 'a.md'), moved.idOf('page', 'how/a.md')]).toEqual(['A', 'new']);
    expect(take(true, beside, ['b.md']).changes()).toEqual({ released: [], assigned: [] });
  });
});
