/** What is kept between runs changes no verdict, whatever happened in between, and spares reading what did not change. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkCached } from '../../../src/cli/check/check-cached.ts';
import { checkWorkTree } from '../../../src/cli/check/check-tree.ts';
import { openPaths } from '../../../src/cli/check/open-paths.ts';
import { printJson } from '../../../src/cli/check/print/json.ts';
import { describeAtLength } from '../../support/describe-at-length.ts';
import { type WorkFolder, workFolder } from './work-folder.ts';

const folder = workFolder();
let cache = '';
beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), 'docloom-facts-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const signal = new AbortController().signal;

interface Run {
  readonly isCached: boolean;
  readonly base?: string | null;
  readonly digest?: string;
  /** Whether the answer of the run before may do. */
  readonly recalls?: boolean;
}

async function check({ isCached, base = null, digest = 'one', recalls = false }: Run) {
  const io = { cwd: folder.root, env: {}, signal };
  const opening = openPaths(['.'], io, { exactOids: base !== null ? 'all' : isCached ? 'pages' : 'none' });
  const facts = isCached ? { folder: path.join(cache, 'facts'), digest } : null;
  const run = recalls ? checkCached : checkWorkTree;
  const { result, save } = await run({ base, config: null, today: '2026-01-01', facts }, opening, io);
  save();
  return result;
}

/** What people are told, by a run that may answer from what is kept. */
async function tellRecalling(run: Omit<Run, 'isCached'> = {}): Promise<string> {
  return tell(await check({ ...run, isCached: true, recalls: true }));
}

function tell(result: Awaited<ReturnType<typeof check>>): string {
  const told = printJson(result, { all: false, existing: true, colours: false, baseName: null });
  return told + JSON.stringify(result.notices);
}

const isRecalled = async () => (await check({ isCached: true, recalls: true })).well > 0;

const cacheFile = (kind = 'facts') => {
  const name = readdirSync(path.join(cache, 'facts')).find((text) => text.endsWith(`.${kind}`)) ?? '';
  return path.join(cache, 'facts', name);
};

const PAGES = {
  'README.md': '# Read me\n\n[a](docs/a.md#one) [b](docs/b.mdx) [gone](docs/gone.md)\n',
  'docs/a.md':
    '---\ntitle: A\nnested: { x: 1 }\n---\n# One\n\n[back](../README.md#read-me) <a href="b.mdx">b</a>\n',
  'docs/b.md': '# Two\n\n<!-- docloom-ignore-next-line: known -->\n[x](missing.md)\n\n[y](a.md#nowhere)\n',
  'docs/same.md': '# Two\n\n<!-- docloom-ignore-next-line: known -->\n[x](missing.md)\n\n[y](a.md#nowhere)\n',
};

/** What people and programs do between two runs. */
const steps: Readonly<Record<string, (work: WorkFolder) => void>> = {
  nothing: () => {},
  'an edit': (work) => work.write({ 'docs/a.md': '# Other\n\n[x](nowhere.md)\n' }),
  'an edit of the same length, at the same time by its time stamp': (work) => {
    const file = path.join(work.root, 'README.md');
    const { atime, mtime } = statSync(file);
    work.write({ 'README.md': work.read('README.md').replace('gone.md', 'none.md') });
    utimesSync(file, atime, mtime);
  },
  'a touch': (work) => utimesSync(path.join(work.root, 'docs/b.md'), 1_000_000_000, 1_000_000_000),
  'a new page': (work) => work.write({ 'docs/new.md': '# New\n\n[a](a.md#one) [q](q.md)\n' }),
  'an edit of the new page': (work) => work.write({ 'docs/new.md': '# New\n\n[a](a.md#one) [r](r.md)\n' }),
  'a commit': (work) => void work.commit({}),
  'a rename': (work) => work.git('mv', 'docs/b.md', 'docs/c.md'),
  'another reading of the same bytes': (work) => work.git('mv', 'docs/same.md', 'docs/same.mdx'),
  'a comment less': (work) => work.write({ 'docs/c.md': '# Two\n\n[x](missing.md)\n' }),
  'another format': (work) => work.write({ 'mkdocs.yml': 'site_name: Docs\n' }),
  'a table of contents': (work) =>
    work.write({ 'SUMMARY.md': '# Summary\n\n* [A](docs/a.md)\n* [Z](docs/z.md)\n', 'mkdocs.yml': '' }),
  'a symbolic link': (work) => symlinkSync('docs/a.md', path.join(work.root, 'linked.md')),
  'a page for a link': (work) => {
    work.remove('linked.md');
    work.write({ 'linked.md': 'docs/a.md' });
  },
  'two swapped': (work) => {
    const [a, c] = [work.read('docs/a.md'), work.read('docs/c.md')];
    work.write({ 'docs/a.md': c, 'docs/c.md': a });
  },
  'a page that git keeps in another form': (work) => {
    work.commit({ '.gitattributes': '*.md text eol=crlf\n' });
    work.remove('docs/c.md');
    work.git('checkout', '--', 'docs/c.md');
  },
  'an edit that git is told not to see': (work) => {
    work.git('update-index', '--assume-unchanged', 'docs/c.md');
    work.write({ 'docs/c.md': '# Unseen\n\n[u](unseen.md)\n' });
  },
  'an older state': (work) => {
    work.git('update-index', '--no-assume-unchanged', 'docs/c.md');
    work.git('checkout', '--quiet', '--force', '-b', 'old', 'first');
  },
  'a page less': (work) => work.remove('docs/a.md'),
  'a checkout that cannot be told from the last by its times': (work) => {
    work.commit({});
    work.git('checkout', '--quiet', '--force', 'main');
    work.git('checkout', '--quiet', '--force', 'old');
  },
};

describe('what is cached between runs', () => {
  describeAtLength('what is cached, after each of many steps', false, () => {
    it('does not change the result after any of many steps, with and without a base', async () => {
      folder.git('init', '--quiet');
      folder.commit(PAGES);
      folder.git('tag', 'first');
      for (const [at, [name, step]] of Object.entries(steps).entries()) {
        step(folder);
        const base = at % 3 === 0 ? 'first' : null;
        const cold = await check({ isCached: false, base });
        // The first run knows what did not change, the second all.
        for (const _run of [1, 2]) {
          expect(JSON.stringify(await check({ isCached: true, base })), name).toBe(JSON.stringify(cold));
          expect(await tellRecalling({ base }), name).toBe(tell(cold));
        }
      }
    });
  });

  it('contains the whole result when nothing changed', async () => {
    folder.git('init', '--quiet');
    folder.git('remote', 'add', 'origin', 'https://github.com/acme/docs');
    folder.commit(PAGES);
    const cold = tell(await check({ isCached: false }));
    expect(await tellRecalling()).toBe(cold);
    expect(await isRecalled()).toBe(true);
    expect(await tellRecalling()).toBe(cold);
    // Renames that are staged have a say in what is suggested.
    folder.git('mv', 'docs/a.md', 'docs/z.md');
    expect([await isRecalled(), await isRecalled()]).toEqual([false, true]);
    const renamed = tell(await check({ isCached: false }));
    folder.git('commit', '--quiet', '-m', 'A rename');
    expect([await isRecalled(), await isRecalled()]).toEqual([false, true]);
    expect(tell(await check({ isCached: false }))).not.toBe(renamed);
  });

  it('contains no result when a file was read whose changes cannot be detected', async () => {
    folder.git('init', '--quiet');
    folder.git('remote', 'add', 'origin', 'https://github.com/acme/docs');
    folder.commit(PAGES);
    folder.write({ 'mkdocs.yml': 'site_name: Docs\n' });
    await check({ isCached: true, recalls: true });
    expect(await isRecalled()).toBe(false);
    folder.write({ 'mkdocs.yml': 'site_name: Dogs\n' });
    expect(await isRecalled()).toBe(false);
    folder.git('add', 'mkdocs.yml');
    await check({ isCached: true, recalls: true });
    expect(await isRecalled()).toBe(true);
    folder.write({ 'mkdocs.yml': 'docs_dir: dogs\n' });
    expect(await isRecalled()).toBe(false);
    expect(await tellRecalling()).toBe(tell(await check({ isCached: false })));
  });

  it('does not change the result in a folder without git', async () => {
    folder.write(PAGES);
    await check({ isCached: true });
    folder.write({ 'docs/a.md': '# One\n\n[c](c.md)\n' });
    const cold = await check({ isCached: false });
    expect(JSON.stringify(await check({ isCached: true }))).toBe(JSON.stringify(cold));
  });

  it.each<[string, (bytes: Buffer) => Buffer | string]>([
    ['is cut short', (bytes) => bytes.subarray(0, bytes.length - 20)],
    ['is empty', () => ''],
    ['is foreign', () => 'GIF89a\n\n\n'],
    ['has another sign', (bytes) => bytes.toString('latin1').replace('missing.md', 'missinh.md')],
  ])('is ignored when its file %s', async (_name, damage) => {
    folder.write(PAGES);
    const cold = await check({ isCached: true });
    writeFileSync(cacheFile(), damage(readFileSync(cacheFile())));
    expect(JSON.stringify(await check({ isCached: true }))).toBe(JSON.stringify(cold));
  });

  it('is valid for one version of the program', async () => {
    folder.write(PAGES);
    await check({ isCached: true });
    const before = readFileSync(cacheFile(), 'latin1');
    await check({ isCached: true, digest: 'two' });
    const after = readFileSync(cacheFile(), 'latin1');
    expect([before.split(' ')[3], after.split(' ')[3]]).toEqual(['one', 'two']);
  });

  it('is readable only by its owner, and written only when something is new', async () => {
    folder.write(PAGES);
    await check({ isCached: true });
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
    utimesSync(cacheFile(), 1_000, 1_000);
    await check({ isCached: true });
    expect(statSync(cacheFile()).mtimeMs).toBe(1_000_000);
    expect(readdirSync(path.join(cache, 'facts'))).toHaveLength(1);
  });

  it('fails no run where it cannot be written', async () => {
    folder.write(PAGES);
    mkdirSync(path.join(cache, 'elsewhere'));
    writeFileSync(path.join(cache, 'facts'), 'a file in its place');
    chmodSync(path.join(cache, 'facts'), 0o400);
    expect((await check({ isCached: true })).files).toBe(4);
  });

  it('makes loading the parser of pages unnecessary', async () => {
    folder.git('init', '--quiet');
    folder.commit(PAGES);
    await check({ isCached: true });
    const script = fileURLToPath(new URL('./print-modules.ts', import.meta.url));
    const told = execFileSync(process.execPath, [script, folder.root, path.join(cache, 'facts')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { files, modules } = JSON.parse(told) as { files: number; modules: string[] };
    expect(files).toBe(4);
    expect(modules.filter((module) => /check-tree\.ts$/.test(module))).toHaveLength(1);
    expect(modules.filter((module) => /\/(?:satteri|parse5|yaml)\/|read-page/.test(module))).toEqual([]);
  });
});
