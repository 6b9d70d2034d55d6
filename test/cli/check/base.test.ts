import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/command.ts';
import { casesAtLength, testAtLength } from '../../support/describe-at-length.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();

interface Told {
  readonly file: string;
  readonly target: string;
  readonly suggestion: string | null;
  readonly change: string | null;
}

/** What a change did, as `change file target → suggestion`. */
async function changes(): Promise<string[]> {
  const { json } = await folder.check({ base: 'main', format: 'json' });
  return json().links.flatMap(({ file, target, suggestion, change }: Told) =>
    change === null ? [] : [`${change} ${file} ${target}${suggestion === null ? '' : ` → ${suggestion}`}`],
  );
}

const long = Array.from({ length: 30 }, (_, line) => `Line ${line} of a page that is long enough.`).join(
  '\n\n',
);

const docs = {
  'README.md': '# Home\n\n[guide](docs/guide.md) [old](gone.md)\n',
  'docs/guide.md': `# Guide\n\n## Steps\n\n[home](../README.md#home)\n\n${long}\n`,
  'docs/more.md': '# More\n\n[steps](guide.md#steps) [p](p.png)\n',
  'docs/p.png': 'png',
};

const ignoring = 'checks: { ignore: [{ target: gone.md, reason: later }] }\n';
const declaring = (...names: string[]) =>
  `spaces:\n${names.map((name) => `  - { directory: ${name}, title: ${name} }\n`).join('')}`;

/** What a change to the configuration does: files before and after (null: gone), and the changes to links. */
const reconfigured: readonly (readonly [string, Files, Files, readonly string[]])[] = [
  [
    'ignoring in the configuration ends',
    { '.github/docloom.yml': ignoring, 'a.md': '[x](gone.md)' },
    { '.github/docloom.yml': null },
    ['introduced a.md gone.md'],
  ],
  [
    'a space is declared that holds old damage',
    { '.github/docloom.yml': declaring('a'), 'a/a.md': '# A', 'b/b.md': '[x](gone.md)' },
    { '.github/docloom.yml': declaring('a', 'b') },
    ['existing b/b.md gone.md'],
  ],
  [
    'a space is declared no more',
    { '.github/docloom.yml': declaring('a', 'b'), 'a/a.md': '# A', 'b/b.md': '[x](gone.md)' },
    { '.github/docloom.yml': declaring('a') },
    [],
  ],
  [
    'a page moves to another space with its damage',
    { '.github/docloom.yml': declaring('a', 'b'), 'a/a.md': `[x](gone.md)\n\n${long}`, 'b/b.md': '# B' },
    { 'a/a.md': null, 'b/a.md': `[x](gone.md)\n\n${long}` },
    ['existing b/a.md gone.md'],
  ],
  [
    'the configuration becomes valid',
    { '.github/docloom.yml': 'spaces: 7\n', 'a.md': '[x](gone.md)' },
    { '.github/docloom.yml': ignoring.replace('gone', 'other') },
    ['existing a.md gone.md'],
  ],
  [
    'a builder comes in whose table of contents leaves pages out',
    { 'docs/README.md': '[b](b.md) [c](gone.md)', 'docs/b.md': '# B' },
    { 'docs/book.toml': '[book]\nsrc = "."\n', 'docs/SUMMARY.md': '# Summary\n\n- [A](README.md)\n' },
    ['introduced docs/README.md b.md', 'existing docs/README.md gone.md'],
  ],
  [
    'a builder goes',
    {
      'docs/README.md': '[b](b.md) [c](gone.md)',
      'docs/b.md': '# B',
      'docs/book.toml': '[book]\nsrc = "."\n',
      'docs/SUMMARY.md': '# Summary\n\n- [A](README.md)\n',
    },
    { 'docs/book.toml': null, 'docs/SUMMARY.md': null },
    ['existing docs/README.md gone.md', 'fixed docs/README.md b.md'],
  ],
];

type Files = Readonly<Record<string, string | null>>;

describe('docloom check --base', () => {
  const changed = casesAtLength(
    'more changes of the configuration against a base',
    reconfigured.slice(0, 3),
    reconfigured.slice(3),
  );
  it.each(changed)('%s', async (_name, before, after, expected) => {
    folder.git('init', '--quiet');
    folder.commit(before);
    folder.git('switch', '--quiet', '--create', 'topic');
    folder.commit(after);
    expect(await changes()).toEqual(expected);
  });

  const edits = casesAtLength(
    'more changes against a base',
    [
      ['nothing changed', () => {}, ['existing README.md gone.md']],
      [
        'a page is deleted, not even staged',
        () => folder.remove('docs/guide.md'),
        [
          'introduced README.md docs/guide.md',
          'existing README.md gone.md',
          'introduced docs/more.md guide.md#steps',
        ],
      ],
      [
        'a page is renamed with git and edited',
        () => {
          folder.git('mv', 'docs/guide.md', 'docs/manual.md');
          folder.write({ 'docs/manual.md': `${docs['docs/guide.md']}\nOne more line.\n` });
        },
        [
          'introduced README.md docs/guide.md → docs/manual.md',
          'existing README.md gone.md',
          'introduced docs/more.md guide.md#steps → manual.md#steps',
        ],
      ],
      [
        'a page is renamed, committed, then edited and committed',
        () => {
          folder.git('mv', 'docs/guide.md', 'docs/manual.md');
          folder.commit({});
          folder.commit({ 'docs/manual.md': `${docs['docs/guide.md']}\nOne more line.\n` });
        },
        [
          'introduced README.md docs/guide.md → docs/manual.md',
          'existing README.md gone.md',
          'introduced docs/more.md guide.md#steps → manual.md#steps',
        ],
      ],
      [
        'a page is renamed on disk, and git was not told',
        () => {
          folder.write({ 'docs/manual.md': docs['docs/guide.md'] });
          folder.remove('docs/guide.md');
        },
        [
          'introduced README.md docs/guide.md → docs/manual.md',
          'existing README.md gone.md',
          'introduced docs/more.md guide.md#steps → manual.md#steps',
        ],
      ],
    ] as const,
    [
      [
        'a broken link moves with its page',
        () => folder.git('mv', 'README.md', 'INTRO.md'),
        ['existing INTRO.md gone.md', 'introduced docs/guide.md ../README.md#home → ../INTRO.md#home'],
      ],
      [
        'a broken link moves down',
        () => folder.write({ 'README.md': `# Home\n\nMore words.\n\n${docs['README.md'].slice(7)}` }),
        ['existing README.md gone.md'],
      ],
      [
        'a second copy of it',
        () => folder.write({ 'README.md': `${docs['README.md']}\n[again](gone.md)\n` }),
        ['existing README.md gone.md', 'introduced README.md gone.md'],
      ],
      [
        'a heading is renamed',
        () => folder.write({ 'docs/guide.md': docs['docs/guide.md'].replace('## Steps', '## How it goes') }),
        ['existing README.md gone.md', 'introduced docs/more.md guide.md#steps → guide.md#how-it-goes'],
      ],
      [
        'a broken link is taken away',
        () => folder.write({ 'README.md': '# Home\n\n[guide](docs/guide.md)\n' }),
        ['fixed README.md gone.md'],
      ],
      ['its page is made', () => folder.write({ 'gone.md': '# Back\n' }), ['fixed README.md gone.md']],
      [
        'a picture is changed by as many bytes, and a page at the same time',
        () => folder.write({ 'docs/p.png': 'gnp', 'docs/new.md': '[x](nothing.md)' }),
        ['existing README.md gone.md', 'introduced docs/new.md nothing.md'],
      ],
      [
        'the base went on alone',
        () => {
          folder.git('switch', '--quiet', 'main');
          folder.commit({ 'README.md': '# Home\n' });
          folder.git('switch', '--quiet', 'topic');
        },
        ['existing README.md gone.md'],
      ],
    ] as const,
  );
  it.each(edits)('%s', async (_name, change, expected) => {
    folder.git('init', '--quiet');
    folder.commit(docs);
    folder.git('switch', '--quiet', '--create', 'topic');
    change();
    expect(await changes()).toEqual(expected);
  });

  it('fails only for new broken links, unless options say otherwise', async () => {
    folder.git('init', '--quiet');
    folder.commit(docs);
    const codes = async () =>
      Promise.all(
        ([undefined, 'new', 'any', 'never'] as const).map(
          async (failOn) => (await folder.check({ base: 'main', ...(failOn && { failOn }) })).code,
        ),
      );
    expect(await codes()).toEqual([0, 0, 1, 0]);
    folder.write({ 'new.md': '[x](nothing.md)' });
    expect(await codes()).toEqual([1, 1, 1, 0]);
    expect((await folder.check({ failOn: 'never' })).code).toBe(0);
    await expect(folder.check({ failOn: 'new' })).rejects.toThrow(UsageError);
  });

  it('reports only the change', async () => {
    folder.git('init', '--quiet');
    const oid = folder.commit(docs);
    folder.write({ 'README.md': '# Home\n', 'docs/new.md': '[x](nothing.md)' });
    const { stdout } = await folder.check({ base: 'main' });
    expect(stdout).toBe(
      [
        'docs/new.md',
        '  1:1  broken  There is no page docs/nothing.md in the repository.  missing-page',
        '       nothing.md',
        '',
        'Fixed',
        '  README.md:3  gone.md',
        '',
        `4 links in 4 files against main (${oid.slice(0, 10)}): 1 introduced, 0 existing, 1 fixed.`,
        '',
      ].join('\n'),
    );
  });

  it('says in the row of a link that the change fixed it, and what it fixes with the base', async () => {
    folder.git('init', '--quiet');
    folder.commit(docs);
    folder.write({ 'gone.md': '# Back\n', 'docs/new.md': '[x](GUIDE.md)' });
    const { stdout } = await folder.check({ base: 'main', all: true });
    const rows = stdout.split('\n');
    const at = rows.findIndex((row) => /^ +3:\d+ +fixed +.*gone\.md.* {2}missing-page$/.test(row));
    expect(rows[at + 1]?.trim()).toBe('gone.md');
    expect(rows.filter((row) => row.trim() === 'gone.md')).toHaveLength(1);
    expect(stdout).not.toContain('Fixed');
    expect(stdout).toMatch(
      /1 introduced, \d existing, 1 fixed\.\n1 can be fixed: docloom check --base main --fix\n$/,
    );
  });

  it('reports what was broken before if that counts', async () => {
    folder.git('init', '--quiet');
    folder.commit(docs);
    const { stdout } = await folder.check({ base: 'main', failOn: 'any' });
    expect(stdout).toContain('gone.md');
    expect((await folder.check({ base: 'main', failOn: 'any', format: 'github' })).stdout).toMatch(
      /^::error .*gone\.md\]$/m,
    );
  });

  testAtLength(
    'reports the addresses that are removed without a redirect, and fails for them only if the configuration says so',
    async () => {
      folder.git('init', '--quiet', '--initial-branch=main');
      folder.commit({
        '.gitbook.yaml': 'root: ./\n',
        'SUMMARY.md': '* [Home](README.md)\n* [Old](old.md)\n',
        'README.md': '# Home\n',
        'old.md': '# A page\n',
      });
      folder.git('checkout', '--quiet', '-b', 'topic');
      folder.git('mv', 'old.md', 'new.md');
      folder.commit({ 'SUMMARY.md': '* [Home](README.md)\n* [New](new.md)\n' });
      const told =
        'There is no longer a page at /old: it is now at /new. Add to the redirects of .gitbook.yaml: old → new.md';
      const ran = await folder.check({ base: 'main' });
      expect(ran).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`.gitbook.yaml\n    warning  ${told}`),
      });
      const configure = (way: string) =>
        folder.commit({ '.github/docloom.yml': `checks:\n  lost-addresses: ${way}\n` });
      configure('fail');
      const failed = await folder.check({ base: 'main', format: 'github' });
      expect(failed).toMatchObject({ code: 1 });
      expect(failed.stdout).toContain(`::error file=.gitbook.yaml,title=lost-address::${told}`);
      configure('off');
      expect(await folder.check({ base: 'main' })).toMatchObject({
        code: 0,
        stdout: expect.not.stringContaining('/old'),
      });
      configure('fail');
      folder.commit({ '.gitbook.yaml': 'root: ./\nredirects:\n  old: new.md\n' });
      expect(await folder.check({ base: 'main' })).toMatchObject({
        code: 0,
        stdout: expect.not.stringContaining('/old'),
      });
    },
  );

  it('reports only on the named paths', async () => {
    folder.git('init', '--quiet');
    folder.commit(docs);
    folder.remove('docs/guide.md');
    const { json } = await folder.check({ base: 'main', format: 'json' }, ['docs']);
    expect(json().summary).toMatchObject({ files: 1, introduced: 1, existing: 0 });
  });

  testAtLength('accepts tags, oids and remote branches, and histories without a common commit', async () => {
    folder.git('init', '--quiet');
    const oid = folder.commit(docs);
    folder.git('tag', 'v1');
    folder.git('update-ref', 'refs/remotes/origin/main', oid);
    folder.git('switch', '--quiet', '--orphan', 'alone');
    folder.commit({ 'a.md': '[x](nothing.md)' });
    for (const base of [oid, oid.slice(0, 8), 'v1', 'origin/main']) {
      const { json } = await folder.check({ base, format: 'json' });
      expect(json().summary).toMatchObject({ introduced: 1, existing: 0, fixed: 1 });
    }
  });

  it('runs no program that the repository names, also for changed files', async () => {
    folder.git('init', '--quiet');
    folder.commit({ ...docs, '.gitattributes': '*.md filter=evil diff=evil\n' });
    const ran = `touch '${folder.root}/ran'; cat`;
    for (const [name, value] of [
      ['core.fsmonitor', `touch '${folder.root}/ran'`],
      ['filter.evil.clean', ran],
      ['filter.evil.smudge', ran],
      ['diff.evil.textconv', ran],
      ['diff.external', ran],
    ] as const) {
      folder.git('config', name, value);
    }
    folder.write({ 'README.md': '# Changed\n' });
    const { json } = await folder.check({ base: 'main', format: 'json' });
    expect(json().summary).toMatchObject({ fixed: 1 });
    expect(() => folder.read('ran')).toThrow();
  });

  it('explains what is missing', async () => {
    folder.write(docs);
    await expect(folder.check({ base: 'main' })).rejects.toThrow(/^--base needs a git repository/);
    folder.git('init', '--quiet');
    await expect(folder.check({ base: 'main' })).rejects.toThrow(/^--base: the repository has no commit yet/);
    await expect(folder.check({ base: '--upload-pack=x' })).rejects.toThrow(UsageError);
    const oid = folder.commit({});
    await expect(folder.check({ base: 'gone' })).rejects.toThrow(
      /^--base: git knows no commit gone here\. Fetch/,
    );
    folder.commit({ 'b.md': '' });
    folder.write({ '.git/shallow': `${folder.git('rev-parse', 'HEAD')}\n` });
    await expect(folder.check({ base: oid })).rejects.toThrow(/too short .*git fetch --unshallow/);
    await expect(folder.check({ base: 'HEAD~5' })).rejects.toThrow(/cut short: .*fetch-depth: 0/);
  });

  it('fetches nothing that a partial clone left out, as that may run a program', async () => {
    folder.write({ 'source/a.md': '# A\n' });
    const git = (...args: string[]) => folder.git('-C', 'source', ...args);
    git('init', '--quiet');
    for (const text of ['# A\n', '# B\n']) {
      folder.write({ 'source/a.md': text });
      git('add', '--all');
      git('commit', '--quiet', '-m', 'A change');
    }
    git('config', 'uploadpack.allowFilter', 'true');
    folder.git('clone', '--quiet', '--filter=blob:none', `file://${folder.root}/source`, 'clone');
    folder.git(
      '-C',
      'clone',
      'config',
      'remote.origin.uploadpack',
      `touch '${folder.root}/ran'; git-upload-pack`,
    );
    const base = folder.check({ base: 'HEAD~1' }, [], `${folder.root}/clone`);
    await expect(base).rejects.toThrow(/^--base: this is a partial clone, .*git fetch --refetch --no-filter/);
    expect(() => folder.read('ran')).toThrow();
    folder.git('-C', 'clone', 'config', '--unset', 'remote.origin.uploadpack');
    folder.git('-C', 'clone', 'fetch', '--quiet', '--refetch', '--no-filter');
    expect((await folder.check({ base: 'HEAD~1' }, [], `${folder.root}/clone`)).code).toBe(0);
  });
});
