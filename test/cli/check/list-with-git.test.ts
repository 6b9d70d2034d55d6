/** What is read from a clone's own files is what git tells of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listWithGit } from '../../../src/cli/check/list-with-git.ts';
import { readPlainClone } from '../../../src/cli/check/read-plain-clone.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();
beforeEach(() => {
  folder.git('init', '--quiet');
  folder.commit({ 'a.md': '# A\n', 'dir/\ttab\nline.md': '# B\n', '.gitignore': 'ignored.md\n' });
  folder.write({ 'new.md': '', 'ignored.md': '' });
});
// A variable that changes nothing but that git has to be asked.
afterEach(() => void delete process.env['GIT_UNKNOWN_HERE']);

const REMOTE = '[remote "origin"]\n\turl = git@github.com:acme/docs.git\n';
const rows: readonly [string, string, isPlain: boolean][] = [
  ['a remote', REMOTE, true],
  [
    'a branch that follows another',
    `${REMOTE}[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/trunk\n`,
    true,
  ],
  ['two addresses', `${REMOTE}\turl = https://example.com/other/docs\n`, true],
  ['names in capitals', '[REMOTE "origin"]\n\tURL = https://github.com/acme/docs\n', true],
  [
    'settings of another program',
    `${REMOTE}[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic x\n`,
    true,
  ],
  ['no remote', '', false],
  ['quotes', '[remote "origin"]\n\turl = "https://github.com/acme/docs"\n', false],
  ['a comment', '[remote "origin"]\n\turl = https://github.com/acme/docs ; ours\n', false],
  ['an old section', `${REMOTE}[branch.main]\n\tremote = origin\n\tmerge = refs/heads/old\n`, false],
  ['another file', `${REMOTE}[include]\n\tpath = more\n`, false],
  ['a setting without a value', `${REMOTE}[core]\n\tsymlinks\n`, false],
];

it.each(rows)('reads %s as git does', async (_name, settings, isPlain) => {
  const { root } = folder;
  const config = path.join(root, '.git/config');
  writeFileSync(path.join(root, '.git/more'), '[remote "origin"]\n\turl = https://github.com/acme/more\n');
  writeFileSync(config, readFileSync(config, 'utf8') + settings);
  expect(readPlainClone(root) !== null).toBe(isPlain);
  const { signal } = new AbortController();
  const told = await listWithGit(root, signal, true);
  process.env['GIT_UNKNOWN_HERE'] = '1';
  expect(told).toEqual(await listWithGit(root, signal, true));
  expect([...(told?.files.keys() ?? [])].sort()).toEqual([
    '.gitignore',
    'a.md',
    'dir/\ttab\nline.md',
    'new.md',
  ]);
});
