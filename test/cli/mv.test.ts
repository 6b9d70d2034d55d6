import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { UsageError } from '../../src/cli/command.ts';
import { runBacklinks } from '../../src/cli/commands/backlinks.ts';
import { runMove } from '../../src/cli/commands/mv.ts';
import { workFolder } from './check/work-folder.ts';

interface MoveCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Symbolic links and their targets. */
  readonly links?: Readonly<Record<string, string>>;
  readonly from: string;
  readonly to: string;
  readonly changed: Readonly<Record<string, string | null>>;
  /** Sentences below the list of changes. */
  readonly notes?: readonly string[];
  /** What has to be changed by hand, with its place. */
  readonly byHand?: readonly string[];
  /** Links that would get worse, so that nothing is moved. */
  readonly worse?: readonly string[];
  /** Whether git keeps the files. */
  readonly git?: boolean;
  /** The address of git's remote. */
  readonly origin?: string;
}

const cases: readonly MoveCase[] = parse(
  readFileSync(new URL('../../fixtures/cli/moves.yaml', import.meta.url), 'utf8'),
);

const folder = workFolder();

const move = (from: string, to: string, dryRun = false, cwd = folder.root) =>
  folder.run((io) => runMove(from, to, { dryRun }, io), cwd);

const all = (files: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.keys(files).map((name) => [
      name,
      existsSync(path.join(folder.root, name)) ? folder.read(name) : null,
    ]),
  );

describe('docloom mv', () => {
  it.each(cases.map((moveCase) => [moveCase.name, moveCase] as const))('%s', async (_name, moveCase) => {
    folder.write(moveCase.files);
    for (const [name, target] of Object.entries(moveCase.links ?? {}))
      symlinkSync(target, path.join(folder.root, name));
    if (moveCase.git) {
      folder.git('init', '--quiet');
      folder.commit({});
      if (moveCase.origin !== undefined) folder.git('remote', 'add', 'origin', moveCase.origin);
    }
    const { code, stdout } = await move(moveCase.from, moveCase.to);
    const lines = (mark: string) =>
      stdout.split('\n').flatMap((line) => (line.includes(mark) ? [line.replace(mark, '  ').trim()] : []));
    expect(stdout.match(/^.+ will be gone\.$/gm) ?? []).toEqual(moveCase.notes ?? []);
    expect(lines('  change this by hand: ')).toEqual(moveCase.byHand ?? []);
    const isRefused = moveCase.worse !== undefined;
    if (isRefused)
      expect(stdout.trim().split('\n').slice(1)).toEqual(moveCase.worse.map((line) => `  ${line}`));
    const expected = { ...moveCase.files, ...moveCase.changed };
    expect(all(expected)).toEqual(expected);
    expect(code).toBe(isRefused || moveCase.byHand !== undefined ? 1 : 0);
    if (!moveCase.git) return;
    // Git knows of the move, and not yet of the words.
    const staged = folder.git('diff', '--cached', '--name-status', '-M').split('\n');
    expect(staged.every((line) => line.startsWith('R100'))).toBe(true);
  });

  it('says what it would do, and does nothing', async () => {
    folder.write({ 'a.md': '[b](b.md)', 'b.md': '# B' });
    const { stdout, code } = await move('b.md', 'docs/', true);
    expect(stdout).toBe(
      'Would move b.md to docs/b.md, and would rewrite 1 link in 1 file.\n  a.md:1  b.md → docs/b.md\n',
    );
    expect(code).toBe(0);
    expect(all({ 'a.md': 0, 'b.md': 0, docs: 0 })).toEqual({
      'a.md': '[b](b.md)',
      'b.md': '# B',
      docs: null,
    });
  });

  it('moves what git does not track, and works without git', async () => {
    folder.write({ 'docs/a.md': '[b](../b.md)', 'b.md': '[a](docs/a.md)' });
    expect((await move('a.md', '../c/d.md', false, path.join(folder.root, 'docs'))).code).toBe(0);
    expect(all({ 'b.md': 0, 'c/d.md': 0 })).toEqual({ 'b.md': '[a](c/d.md)', 'c/d.md': '[b](../b.md)' });
  });

  it('undoes everything when a step fails', async () => {
    const files = { 'a/one.md': '[two](../b/two.md)\n', 'b/two.md': '[one](../a/one.md)\n' };
    folder.write(files);
    folder.git('init', '--quiet');
    folder.commit({});
    // The last file of the plan cannot be made.
    await expect(
      folder.run(async (io) => {
        const { carryOut } = await import('../../src/cli/move/carry-out.ts');
        const { openMove } = await import('../../src/cli/move/open-move.ts');
        const { planInTree } = await import('../../src/cli/move/plan-in-tree.ts');
        const opened = await openMove('a', 'deep/er/a', io);
        const plan = await planInTree(opened);
        const texts = new Map([...plan.texts, ['no/such/folder/x.yaml', { before: null, after: 'x' }]]);
        await carryOut(opened, { ...plan, texts }, io.signal);
        return 0;
      }),
    ).rejects.toThrow(/^Nothing was moved: /);
    expect(all(files)).toEqual(files);
    expect(existsSync(path.join(folder.root, 'deep'))).toBe(false);
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  it('moves although links get worse with --force', async () => {
    folder.write({
      '.gitbook.yaml': 'root: ./docs\n',
      'docs/SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
      'docs/README.md': '![p](p.png)\n',
      'docs/p.png': 'p',
    });
    const { stdout, code } = await folder.run((io) => runMove('docs/p.png', 'p.png', { force: true }, io));
    expect(stdout).toContain('1 link got worse:\n  docs/README.md:1  p.png  ');
    expect(code).toBe(1);
    expect(existsSync(path.join(folder.root, 'p.png'))).toBe(true);
  });

  it('refuses what it cannot do, with a sentence, and moves nothing', async () => {
    folder.write({
      'a.md': '# A',
      'b.md': '# B',
      'docs/c.md': '# C',
      '.gitignore': 'out/\n',
      'out/x.md': '',
    });
    folder.git('init', '--quiet');
    await expect(move('none.md', 'x.md')).rejects.toThrow(
      'none.md does not exist. Name a page or folder to move.',
    );
    await expect(move('a.md', 'b.md')).rejects.toThrow('b.md exists already.');
    await expect(move('docs', 'docs/inner')).rejects.toThrow(UsageError);
    await expect(move('a.md', '../a.md')).rejects.toThrow(/is outside/);
    await expect(move('.', 'x')).rejects.toThrow(UsageError);
    await expect(move('a.md', '.git/a.md')).rejects.toThrow('Nothing moves into or out of .git.');
    await expect(move('a.md', 'out/a.md')).rejects.toThrow('Git ignores out/a.md');
    await expect(move('docs', 'b.md/docs')).rejects.toThrow('b.md is a file');
    await expect(move('a.md', 'b.md/')).rejects.toThrow('b.md/ is a file');
    await expect(move('docs/d.md', 'x.md')).rejects.toThrow('Did you mean docs/c.md?');
    await expect(move('out', 'in')).rejects.toThrow('out contains no file that git sees. Is it ignored?');
    expect(all({ 'a.md': 0, 'b.md': 0, 'docs/c.md': 0 })).toEqual({
      'a.md': '# A',
      'b.md': '# B',
      'docs/c.md': '# C',
    });
  });
});

describe('docloom backlinks', () => {
  const files = {
    'README.md': '[a](docs/a.md) [self](README.md)\n\n[a](docs/a.md#none)\n',
    'docs/a.md': '[home](../README.md) [self](a.md)\n',
    'docs/b.md': '# B\n',
  };

  it('lists the links that lead to a file', async () => {
    folder.write(files);
    folder.git('init', '--quiet');
    const tell = (file: string, format: 'pretty' | 'json' = 'pretty') =>
      folder.run((io) => runBacklinks(file, { format }, io), path.join(folder.root, 'docs'));
    expect((await tell('a.md')).stdout).toBe(
      [
        'README.md:1:1  docs/a.md',
        'README.md:3:1  docs/a.md#none  docs/a.md has no heading or id “none”.',
        '',
        '2 links in 1 file lead to docs/a.md.',
        '',
      ].join('\n'),
    );
    expect((await tell('b.md')).stdout).toBe('0 links in 0 files lead to docs/b.md.\n');
    expect((await tell('../README.md', 'json')).json()).toMatchObject({
      version: 1,
      file: 'README.md',
      links: [{ file: 'docs/a.md', line: 1, column: 1, target: '../README.md', text: 'home', status: 'ok' }],
    });
    expect((await tell('a.md#none')).stdout).toContain('\n1 link in 1 file leads to docs/a.md#none.\n');
    expect((await tell('a.md#none', 'json')).json()).toMatchObject({ anchor: 'none', links: [{ line: 3 }] });
    await expect(tell('../READ.md')).rejects.toThrow('Did you mean ../README.md?');
    folder.remove('.git');
    const plain = await folder.run((io) => runBacklinks('docs/a.md', { format: 'pretty' }, io));
    expect(plain.stdout).toContain('2 links in 1 file lead to docs/a.md.');
    await expect(tell('none.md')).rejects.toThrow(UsageError);
    await expect(tell('.')).rejects.toThrow('. is not a file of the repository.');
  });
});
