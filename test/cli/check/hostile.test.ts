/** Folders made to trap what walks and reads them: no crash, no hang, and a word about what was left out. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UnreadablePaths } from '../../../src/cli/check/unreadable-paths.ts';
import { isWhole, testAtLength } from '../../support/describe-at-length.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();

/** Any bytes, the same in each run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

interface Told {
  readonly file: string;
  readonly target: string;
  readonly rule: string | null;
}

const verdicts = (links: readonly Told[]): string[] =>
  links.map(({ file, target, rule }) => `${file} ${target} ${rule}`);

describe.each(['a plain folder', 'a git repository'])('docloom check in %s', (kind) => {
  it('skips pipes, loops and names that are not text', async () => {
    if (kind === 'a git repository') folder.git('init', '--quiet');
    folder.write({
      'a.md':
        '[p](pipe.md) [l](loop/x.md) [s](self.md) [r](root/etc/hosts) [n](<new\nline.md>) [b](caf%E9.md)',
      'new\nline.md': '[x](gone.md)',
      'noise.md': noise(200_000),
    });
    execFileSync('mkfifo', [path.join(folder.root, 'pipe.md')]);
    symlinkSync('.', path.join(folder.root, 'loop'));
    symlinkSync('self.md', path.join(folder.root, 'self.md'));
    symlinkSync('/', path.join(folder.root, 'root'));
    const name = Buffer.concat([Buffer.from(`${folder.root}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]);
    writeFileSync(name, '[x](gone.md)');
    const { json, stderr } = await folder.check({ format: 'json' }, ['.']);
    expect(verdicts(json().links).filter((said) => !said.startsWith('noise.md'))).toEqual([
      'a.md pipe.md missing-page',
      'a.md loop/x.md missing-file',
      'a.md self.md missing-file',
      'a.md root/etc/hosts outside-repository',
      'a.md caf%E9.md missing-page',
      'new\nline.md gone.md missing-page',
    ]);
    expect(stderr).toMatch(/^docloom: caf\u{fffd}\.md: This was left out: its name is not UTF-8\.$/mu);
  });
});

testAtLength(
  'reads pages that may overflow the stack of a parser in another process, and guesses nothing about them',
  async () => {
    const deep = `{"}"+${'('.repeat(20_000)}}`;
    folder.write({
      'docusaurus.config.js': 'module.exports = {};',
      'docs/a.mdx': '[b](./b.mdx#c) [d](./b.mdx)',
      'docs/b.mdx': `[x](gone.mdx)\n\n${deep}\n\n## C\n`,
      'docs/e.mdx': `## E\n\n{[${'(a), '.repeat(5_000)}]}\n\n[e](#e) [f](#f)\n`,
    });
    const { json, stderr } = await folder.check({ format: 'json', all: true });
    const { links } = json() as { links: readonly (Told & { status: string; message: string })[] };
    expect(links.map(({ file, target, status }) => `${file} ${target} ${status}`)).toEqual([
      'docs/a.mdx ./b.mdx#c unchecked',
      'docs/a.mdx ./b.mdx ok',
      'docs/e.mdx #e ok',
      'docs/e.mdx #f broken',
    ]);
    expect(links[0]?.message).toBe('The headings of docs/b.mdx were not read.');
    expect(stderr).toMatch(/^docloom: docs\/b\.mdx: The code of this page is nested too deep/m);
  },
);

it('states its limits', async () => {
  const links = isWhole('a page of 100,000 broken links') ? 100_000 : 10_000;
  folder.write({
    'many.md': '[a](gone.md) '.repeat(links),
    'large.md': new Uint8Array(50 * 1024 * 1024).fill(0x5b),
  });
  const { json, stderr } = await folder.check({ format: 'json' });
  expect(json().summary).toMatchObject({ links, broken: links });
  expect(stderr).toBe('docloom: large.md: The file is larger than 4 MB and was not read.\n');
});

describe('UnreadablePaths', () => {
  it.each([
    ['a.md', 'ENOENT', []],
    ['caf\u{fffd}.md', 'ENOENT', ['This was left out: its name is not UTF-8.']],
    ['a.md', 'ENAMETOOLONG', ['This was left out: its path is too long for the system.']],
    ['a', 'EACCES', ['This was left out: it may not be read.']],
    ['a', 'EIO', ['This was left out: the system does not show it (EIO).']],
  ] as const)('%s with %s', (file, code, expected) => {
    const unreadable = new UnreadablePaths();
    unreadable.add(file, { code });
    expect(unreadable.problems.map(({ message }) => message)).toEqual(expected);
  });

  it('lists a hundred, and counts the rest', () => {
    const unreadable = new UnreadablePaths();
    for (let at = 0; at < 250; at += 1) unreadable.add(`a${at}`, { code: 'EACCES' });
    expect(unreadable.problems).toHaveLength(101);
    expect(unreadable.problems.at(-1)?.message).toBe('150 more were left out.');
  });
});
