import { expect, test } from 'vitest';
import { planPreviews } from '../../../src/github/pull-request/plan-previews.ts';
import type { Binding } from '../../../src/store/bindings.ts';

const bound = (directory: string, more: Partial<Binding> = {}) =>
  ({ id: directory, directory, branch: 'main', spaceId: 's', disconnected: null, ...more }) as Binding;

const BINDINGS = [
  bound('docs'),
  bound('docs/api'),
  bound('old', { disconnected: 'gone' }),
  bound('new', { spaceId: null }),
  bound('docs', { id: 'v1', branch: 'v1' }),
];
const branch = { branch: 'next', cloneUrl: '', isFork: false, isWritable: true };
const fork = { ...branch, isFork: true };
const pull = { headRef: 'refs/pull/7/head', head: branch, baseBranch: 'main' } as const;

test.each([
  ['a page of a space', pull, 'branches', ['docs/a.md'], ['docs']],
  ['a page of a space within a space', pull, 'branches', ['docs/api/a.md'], ['docs/api']],
  ['both', pull, 'branches', ['docs/a.md', 'docs/api/a.md'], ['docs', 'docs/api']],
  ['a folder whose name only begins so', pull, 'branches', ['docs2/a.md'], []],
  ['what no space shows', pull, 'branches', ['src/main.c', 'old/a.md', 'new/a.md'], []],
  ['another bound branch', { ...pull, baseBranch: 'v1' }, 'branches', ['docs/a.md'], ['v1']],
  ['a branch that is not bound', { ...pull, baseBranch: 'dev' }, 'all', ['docs/a.md'], []],
  ['a fork', { ...pull, head: fork }, 'branches', ['docs/a.md'], []],
  ['a fork where that is wished for', { ...pull, head: fork }, 'all', ['docs/a.md'], ['docs']],
  ['a fork that is gone', { ...pull, head: null }, 'branches', ['docs/a.md'], []],
  ['none wished for', pull, 'off', ['docs/a.md'], []],
  [
    'a merge group',
    { ...pull, head: null, headRef: 'refs/heads/gh-readonly-queue/main/pr-7' },
    'all',
    ['docs/a.md'],
    [],
  ],
] as const)('previews for %s', (_case, of, wish, paths, expected) => {
  expect(planPreviews(of, wish, BINDINGS, new Set(paths)).map(({ id }) => id)).toEqual(expected);
});
