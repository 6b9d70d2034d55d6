import { describe, expect, it } from 'vitest';
import { entryNameProblem } from '../../src/git/check-entry-name.ts';
import { checkOid, checkRefName } from '../../src/git/names.ts';

describe('checkRefName', () => {
  it.each(['HEAD', 'refs/heads/main', 'refs/heads/feature/ä-b.c', 'refs/pull/7/head', 'refs/tags/v1.0'])(
    '%s',
    (ref) => {
      expect(() => checkRefName(ref)).not.toThrow();
    },
  );

  it.each([
    'main',
    '',
    '-u',
    '--upload-pack=sh',
    '+refs/heads/main',
    'refs/heads/*',
    'refs/heads/a:refs/heads/b',
    'refs/heads/a b',
    'refs/heads/a..b',
    'refs/heads/.a',
    'refs/heads/a.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a/',
    'refs/heads//a',
    'refs/heads/a.',
    'refs/heads/a@{1}',
    'refs/heads/a^',
    'refs/heads/a\nb',
    `refs/heads/${'a'.repeat(2000)}`,
  ])('refuses %j', (ref) => {
    expect(() => checkRefName(ref)).toThrow(expect.objectContaining({ code: 'ref-not-found' }));
  });
});

describe('checkOid', () => {
  it.each(['a'.repeat(40), '0'.repeat(64)])('%s', (oid) => {
    expect(() => checkOid(oid)).not.toThrow();
  });
  it.each(['', 'HEAD', 'abc', 'A'.repeat(40), `${'a'.repeat(40)}\n`, '--all'])('refuses %j', (oid) => {
    expect(() => checkOid(oid)).toThrow(expect.objectContaining({ code: 'commit-not-found' }));
  });
});

describe('a name in a tree', () => {
  const stands: readonly string[] = [
    '.git ',
    '.git.',
    '.GIT . .',
    '.g\u200cit',
    '\ufeff.git',
    '.git\u206f',
    'git~1',
    'GIT~1 ',
    '.git::$INDEX_ALLOCATION',
    '.git\\config',
  ];
  it.each(stands)('%j is left out: it means .git on some file systems', (name) => {
    expect(entryNameProblem(Buffer.from(name))).toContain('means .git');
  });

  it.each([
    '.github',
    '.gitignore',
    '.git-notes.md',
    'git',
    'git~2',
    'a.git',
    '\u200cguide.md',
    '.gitbook',
    'Ⅰ.md',
  ])('%j is taken as it is', (name) => {
    expect(entryNameProblem(Buffer.from(name))).toBeNull();
  });
});
