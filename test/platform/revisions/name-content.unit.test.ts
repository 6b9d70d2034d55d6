import { describe, expect, it } from 'vitest';
import { nameContent } from '../../../src/platform/revisions/name-content.ts';
import type { ContentId } from '../../../src/store/content-ids.ts';

const known = [
  { kind: 'page', gitPath: 'a.md', id: 'A' },
  { kind: 'page', gitPath: 'b.md', id: 'B' },
  { kind: 'file', gitPath: 'p.png', id: 'P' },
];

function name(becomesCurrent: boolean, renames: { from: string; to: string }[] = []) {
  let next = 0;
  return nameContent({ known, renames, becomesCurrent, newId: () => `new${++next}` });
}

it('reuses known ids by kind, and assigns one id to each new path', () => {
  const names = name(true);
  expect(names.idOf('page', 'a.md')).toBe('A');
  expect(names.idOf('file', 'a.md')).toBe('new1');
  expect(names.idOf('file', 'a.md')).toBe('new1');
  expect(names.changes()).toEqual({
    released: [],
    assigned: [{ kind: 'file', gitPath: 'a.md', id: 'new1' }],
  });
});

it('moves an id with its file; the old path gets a new one', () => {
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

it('changes no id of the content for a revision that does not become current', () => {
  const names = name(false, [{ from: 'a.md', to: 'c.md' }]);
  expect(names.idOf('page', 'c.md')).toBe('A');
  expect(names.changes()).toEqual({ released: [], assigned: [] });
});

describe('names of a draft', () => {
  const draftNames = [
    { kind: 'page', gitPath: 'how/a.md', id: 'A' },
    { kind: 'page', gitPath: 'b.md', id: 'B' },
  ];
  const nameDraft = (
    becomesCurrent: boolean,
    names: readonly ContentId[],
    paths: readonly string[],
    older: readonly string[] = ['a.md', 'b.md'],
  ) =>
    nameContent({
      known,
      draft: {
        names,
        existedAtStart: (path) => older.includes(path),
        exists: (path) => paths.includes(path),
      },
      renames: [],
      becomesCurrent,
      newId: () => 'new',
    });

  it('belong to its files, and change no id of the content', () => {
    const names = nameDraft(false, draftNames, ['how/a.md', 'b.md']);
    expect(names.idOf('page', 'how/a.md')).toBe('A');
    expect(names.changes()).toEqual({ released: [], assigned: [] });
  });

  it('are not reused for a new file at the old path, which leaves the id of the content unchanged', () => {
    const names = nameDraft(false, draftNames, ['how/a.md', 'a.md', 'b.md']);
    expect(names.idOf('page', 'a.md')).toBe('new');
    expect(names.changes()).toEqual({ released: [], assigned: [] });
    const after = [...draftNames, { kind: 'page', gitPath: 'a.md', id: 'new' }];
    const next = nameDraft(false, after, ['how/a.md', 'a.md', 'b.md']);
    expect([next.idOf('page', 'a.md'), next.idOf('page', 'how/a.md')]).toEqual(['new', 'A']);
  });

  it('become those of the content when it is merged', () => {
    const after = [...draftNames, { kind: 'page', gitPath: 'a.md', id: 'Z' }];
    const names = nameDraft(true, after, ['how/a.md', 'a.md', 'b.md']);
    expect([names.idOf('page', 'a.md'), names.idOf('page', 'how/a.md')]).toEqual(['Z', 'A']);
    expect(names.changes()).toEqual({
      released: [{ kind: 'page', gitPath: 'a.md' }],
      assigned: [
        { kind: 'page', gitPath: 'how/a.md', id: 'A' },
        { kind: 'page', gitPath: 'a.md', id: 'Z' },
      ],
    });
  });

  it('are ignored where the content moved the file too, or the file is gone', () => {
    const moved = nameDraft(true, draftNames, ['how/a.md', 'a.md'], ['old/a.md']);
    expect([moved.idOf('page', 'a.md'), moved.idOf('page', 'how/a.md')]).toEqual(['A', 'new']);
    expect(nameDraft(true, draftNames, ['b.md']).changes()).toEqual({ released: [], assigned: [] });
  });
});
