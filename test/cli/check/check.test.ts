import { existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/command.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();
const { write, git } = folder;

const check = (paths: readonly string[] = [], format: 'pretty' | 'json' = 'pretty', cwd = folder.root) =>
  folder.check({ format }, paths, cwd);

const docs = {
  'README.md': '# Home\n\n[guide](docs/guide.md)\n',
  'docs/guide.md': '# Guide\n\n[home](../README.md#homme) and ![p](none.png)\n',
  'docs/api/a.md': '[x](../guide.md#guide)\n',
};

describe('docloom check', () => {
  it('reports broken links by file, with a line of totals', async () => {
    write(docs);
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'docs/guide.md',
        '  3:1   broken  README.md has no heading or id “homme”.  missing-anchor',
        '        ../README.md#homme → ../README.md#home',
        '  3:32  broken  There is no file docs/none.png in the repository.  missing-file',
        '        none.png',
        '',
        '4 links in 3 files: 2 broken, 0 unchecked.',
        '1 can be fixed: docloom check --fix',
        '',
      ].join('\n'),
    );
  });

  it('tells links to other sites from links that could not be checked', async () => {
    write({
      'a.md': '[x](https://example.com)\n[y](mailto:a@b.c)\n',
      'hugo.toml': "baseURL = '/'\n",
      'b.md': '[z](/z)\n',
    });
    const { stdout } = await folder.check({ all: true });
    expect(stdout).toContain('1:1  outside  The link leads outside the repository');
    expect(stdout).toContain('1:1  unchecked  Where links from the root lead');
    expect(stdout).toContain('3 links in 2 files: 0 broken, 1 outside, 1 unchecked.');
  });

  it('exits with 0 when nothing is broken, also when there is nothing to check', async () => {
    expect(await check()).toMatchObject({
      code: 0,
      stdout: '0 links in 0 files: 0 broken, 0 unchecked.\n',
      stderr: 'docloom: Nothing was checked: . contains no Markdown file (.md, .markdown or .mdx).\n',
    });
    write({ '.hidden/a.md': '' });
    expect((await check()).stderr).toMatch(
      /^docloom: Nothing was checked: 1 Markdown file in \. is in no space/,
    );
    write({ 'a.md': '[x](https://example.com)' });
    expect((await check()).code).toBe(0);
  });

  it('prints version 1 of its JSON format for programs', async () => {
    write({ 'a.md': '# A\n\n[ok](#a) [out](https://example.com) [x](A.md)\n' });
    const { code, json } = await check([], 'json');
    expect(code).toBe(1);
    expect(json()).toEqual({
      version: 1,
      root: folder.root,
      spaces: [{ directory: '.', format: 'github', pages: 1 }],
      summary: {
        files: 1,
        links: 3,
        ok: 1,
        broken: 1,
        inApp: 0,
        unchecked: 1,
        outside: 1,
        introduced: 0,
        existing: 0,
        fixed: 0,
      },
      links: [
        expect.objectContaining({
          target: 'https://example.com',
          status: 'unchecked',
          rule: null,
          change: null,
        }),
        {
          file: 'a.md',
          line: 3,
          column: 37,
          endLine: 3,
          endColumn: 46,
          target: 'A.md',
          status: 'broken',
          rule: 'case-mismatch',
          message: 'There is no A.md; a.md differs only in case, which counts on GitHub and on Linux.',
          suggestion: 'a.md',
          change: null,
        },
      ],
    });
  });

  it('reports on the named folders and files, checked against the repository around them', async () => {
    write(docs);
    git('init', '-q');
    expect((await check(['README.md', 'docs/api'])).stdout).toBe(
      '2 links in 2 files: 0 broken, 0 unchecked.\n',
    );
    expect((await check(['guide.md'], 'pretty', path.join(folder.root, 'docs'))).code).toBe(1);
    expect((await check(['.'], 'json', path.join(folder.root, 'docs/api'))).json()).toMatchObject({
      root: folder.root,
      summary: { files: 1, links: 1, ok: 1 },
    });
  });

  it('sees a work tree as git does: no ignored and no deleted files, but new ones', async () => {
    write({ ...docs, '.gitignore': 'build/\n', 'build/out.md': '[x](none.md)', 'gone.md': '# Gone' });
    write({ 'docs/guide.md': '# Guide\n\n[a](../build/out.md) [b](../gone.md) [c](new.md)' });
    git('init', '-q');
    git('add', '.');
    rmSync(path.join(folder.root, 'gone.md'));
    write({ 'docs/new.md': '# New' });
    const { json } = await check([], 'json');
    expect(json().links.map((link: { target: string }) => link.target)).toEqual([
      '../build/out.md',
      '../gone.md',
    ]);
  });

  it('reads the files that a sparse checkout leaves out, and knows submodules', async () => {
    write({ 'docs/a.md': '[x](../big/b.md) [y](../big/b.md#c) [z](../lib/x.md)', 'big/b.md': '# B' });
    git('init', '-q');
    git('add', '.');
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
    git('update-index', '--skip-worktree', 'big/b.md');
    rmSync(path.join(folder.root, 'big'), { recursive: true });
    const { json } = await check(['docs'], 'json');
    expect(json().summary).toMatchObject({ ok: 1, unchecked: 1, broken: 1 });
  });

  it('knows files that could not be checked out because git does not have their bytes', async () => {
    write({ 'a.md': '![x](large.gif) ![y](gone.png)', 'large.gif': 'large', 'gone.png': 'gone' });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'All');
    const oid = git('rev-parse', 'HEAD:large.gif').trim();
    rmSync(path.join(folder.root, '.git/objects', oid.slice(0, 2), oid.slice(2)));
    rmSync(path.join(folder.root, 'large.gif'));
    rmSync(path.join(folder.root, 'gone.png'));
    const targets = async () =>
      (await check([], 'json')).json().links.map(({ target }: { target: string }) => target);
    expect(await targets()).toEqual(['gone.png']);
    // Git writes its index only when the checkout is complete.
    rmSync(path.join(folder.root, '.git/index'));
    expect(await targets()).toEqual([]);
  });

  it('runs no program that the repository names', async () => {
    write(docs);
    git('init', '-q');
    git('config', 'core.fsmonitor', `touch ${path.join(folder.root, 'ran')}; false`);
    await check();
    expect(existsSync(path.join(folder.root, 'ran'))).toBe(false);
  });

  it('never follows a symbolic link out of the folder', async () => {
    write({
      'repo/a.md': '[x](out.md) [y](folder/b.md) [z](in.md#b)',
      'repo/b.md': '# B',
      'secret/b.md': '# Secret',
    });
    symlinkSync('../secret/b.md', path.join(folder.root, 'repo/out.md'));
    symlinkSync('../secret', path.join(folder.root, 'repo/folder'));
    symlinkSync('b.md', path.join(folder.root, 'repo/in.md'));
    const { json } = await check([], 'json', path.join(folder.root, 'repo'));
    expect(json().links.map((link: { rule: string }) => link.rule)).toEqual([
      'outside-repository',
      'outside-repository',
    ]);
    expect(json().summary.files).toBe(2);
  });

  it('checks the spaces of the configuration file', async () => {
    write({ ...docs, '.github/docloom.yml': 'spaces:\n  - {directory: docs/api, title: API}\n' });
    expect((await check([], 'json')).json()).toMatchObject({
      spaces: [{ directory: 'docs/api', pages: 1 }],
      summary: { files: 1, links: 1 },
    });
  });

  it('refuses what it cannot use, with a sentence', async () => {
    write({ ...docs, '.github/docloom.yml': 'spaces:\n  - {directory: docs, titel: API}\n' });
    await expect(check()).rejects.toThrow(
      '.github/docloom.yml:2:23: `titel` is not a key here. Did you mean `title`?',
    );
    await expect(check(['none'])).rejects.toThrow(
      new UsageError('none does not exist. Name a folder or file to check.'),
    );
    await expect(check(['doc'])).rejects.toThrow(new UsageError('doc does not exist. Did you mean docs?'));
    await expect(check(['docs/gide.md'])).rejects.toThrow('Did you mean docs/guide.md?');
    git('init', '-q');
    await expect(check(['docs', '..'])).rejects.toThrow(UsageError);
    await expect(check(['.git'])).rejects.toThrow(/is inside a repository without files to check/);
    write({ '.git/config': '[core]\n\trepositoryformatversion = 99\n' });
    await expect(check()).rejects.toThrow(/^git does not read the repository around .*: .*version/i);
  });

  it('accepts several paths outside git, and a file in the current folder', async () => {
    write(docs);
    expect((await check(['docs/api', 'README.md'], 'json')).json()).toMatchObject({
      root: folder.root,
      summary: { files: 2, ok: 2 },
    });
    expect((await check(['docs/api/a.md'], 'json')).json()).toMatchObject({
      root: folder.root,
      summary: { files: 1, ok: 1 },
    });
    expect((await check(['docs'], 'json')).json().root).toBe(path.join(folder.root, 'docs'));
  });

  it('treats a nested repository as a submodule', async () => {
    write({ 'a.md': '[x](inner/b.md) [y](inner/)', 'inner/b.md': '[z](none.md)' });
    git('init', '-q');
    git('init', '-q', 'inner');
    expect((await check([], 'json')).json().summary).toMatchObject({ files: 1, unchecked: 2, broken: 0 });
  });

  it.each([
    ['text that is not UTF-8', Buffer.from([0xff, 0xfe, 0x41, 0]), /docloom\.yml is not UTF-8 text/],
    ['a file that is too large', 'a'.repeat(2_000_000), /docloom\.yml is larger than 1024 KB/],
    [
      'aliases that multiply',
      'a: &a [x, x]\nb: &b [*a, *a]\nspaces: [*b, *b]\n',
      /docloom\.yml:1:1: `a` is not a key here/,
    ],
  ] as const)('refuses a configuration of %s', async (_name, text, words) => {
    write({ ...docs, '.github/docloom.yml': text, 'other.yml': text });
    await expect(check()).rejects.toThrow(words);
    rmSync(path.join(folder.root, '.github'), { recursive: true });
    await expect(folder.check({ config: 'other.yml' })).rejects.toThrow(/^other\.yml/);
  });

  it('refuses a configuration that is a link, and reports one in a wrong place', async () => {
    write({ ...docs, 'docloom.yml': 'checks: {}\n' });
    expect((await check()).stdout).toMatch(
      /^docloom\.yml\n +warning {2}This file is not read\. Move it to \.github\/docloom\.yml/,
    );
    write({ '.github/x': '' });
    symlinkSync('../docloom.yml', path.join(folder.root, '.github/docloom.yml'));
    await expect(check()).rejects.toThrow(/must be a file of its own/);
  });

  it('reports declared spaces without pages', async () => {
    write({
      ...docs,
      'pictures/p.png': '',
      '.github/docloom.yml': 'spaces:\n  - {directory: doc, title: A}\n  - {directory: pictures, title: B}\n',
    });
    const { stdout, stderr } = await check();
    expect(stdout).toContain('The folder of the space doc does not exist, so it contains no page.');
    expect(stdout).toContain('The folder of the space pictures contains no page of its format, github.');
    expect(stderr).toMatch(/^docloom: Nothing was checked: 3 Markdown files in \. are in no space of/);
  });

  it('reports what it could not read', async () => {
    write({ 'a.md': '---\na: [\n---\n' });
    const { code, stdout } = await check();
    expect(code).toBe(0);
    expect(stdout).toContain('a.md\n  2  warning  The front matter is not valid YAML');
  });
});
