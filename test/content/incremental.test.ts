import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  createEngine,
  type Engine,
  type FormatName,
  type Rename,
  type TreeEntry,
} from '../../src/content/index.ts';
import { formatNames } from '../../src/content/model/index.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { type SmallTree, treeOf } from './analysis-of.ts';

interface Repository {
  readonly format: FormatName;
  readonly files: Readonly<Record<string, string>>;
  readonly configs: Readonly<Record<string, readonly string[]>>;
  readonly navigation: {
    readonly file: string;
    readonly before?: string;
    readonly lines: readonly string[];
    readonly after?: string;
  };
  readonly words: readonly string[];
}

const repositories: readonly Repository[] = parse(
  readFileSync(new URL('../../fixtures/content/incremental/repositories.yaml', import.meta.url), 'utf8'),
);

it('begins with a repository of each format', () => {
  expect(repositories.map(({ format }) => format).toSorted()).toEqual(formatNames.toSorted());
});

interface Revision extends SmallTree {
  readonly renames?: readonly Rename[];
}

async function analyse(engine: Engine, revision: Revision, format: FormatName) {
  const { tree, blobs } = treeOf(revision);
  // As git lists a tree.
  const sorted = tree.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return await engine.analyse({
    tree: sorted,
    directory: '',
    siblingDirectories: ['other'],
    format,
    renames: revision.renames ?? [],
    read: async function* read(entries: readonly TreeEntry[]) {
      for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid)) };
    },
  });
}

/** What was done since the last look. */
function watch({ work }: Engine) {
  let before = { ...work };
  return () => {
    const done = { blobs: work.blobs - before.blobs, links: work.links - before.links };
    before = { ...work };
    return done;
  };
}

type Edit = (revision: Revision) => Revision;

function editsOf({ files, configs, navigation, words }: Repository): fc.Arbitrary<Edit> {
  const path = fc.constantFrom(...new Set([...Object.keys(files), ...Object.keys(configs)]));
  const folder = fc.constantFrom(...new Set(Object.keys(files).map((one) => one.replace(/[^/]*$/, ''))));
  const name = fc.constantFrom('a.md', 'b.md', 'c.md', 'C.md', 'README.md', 'index.md', 'part.md', 'x.png');
  const line = fc.constantFrom(
    ...words,
    '# One',
    '# Two',
    '## In part',
    '{#custom}',
    'Just words.',
    '[a](a.md#one)',
    '[c](c.md)',
    '[c](docs/c.md#one-1)',
    '[other](../other/README.md#other)',
    '![x](x.png)',
    '---\ntitle: New\n---',
  );
  const write = fc.tuple(path, fc.array(line, { maxLength: 4 }));
  return fc.oneof(
    { arbitrary: write.map(([at, lines]) => put(at, lines.join('\n\n'))), weight: 2 },
    {
      arbitrary: fc.tuple(path, line).map(
        ([at, one]) =>
          (revision: Revision) =>
            put(at, `${revision.files[at] ?? ''}\n\n${one}\n`)(revision),
      ),
      weight: 4,
    },
    fc
      .tuple(folder, name, fc.array(line, { maxLength: 3 }))
      .map(([at, one, lines]) => put(at + one, lines.join('\n\n'))),
    path.map((at) => remove(at)),
    fc.tuple(path, folder, name, fc.boolean()).map(
      ([from, at, one, isTold]): Edit =>
        (revision) => {
          const text = revision.files[from];
          if (text === undefined || from === at + one) return revision;
          const renames = isTold ? [{ from, to: at + one }] : [];
          return { ...put(at + one, text)(remove(from)(revision)), renames };
        },
    ),
    fc
      .constantFrom(
        ...Object.entries(configs).flatMap(([at, texts]) => texts.map((text) => [at, text] as const)),
      )
      .map(([at, text]) => put(at, text)),
    {
      arbitrary: fc
        .shuffledSubarray([...navigation.lines])
        .map((lines) =>
          put(navigation.file, `${navigation.before ?? ''}${lines.join('\n')}\n${navigation.after ?? ''}`),
        ),
      weight: 2,
    },
    path.map((at): Edit => put(at, files[at] ?? '')),
    fc.tuple(folder, path).map(
      ([at, to]): Edit =>
        (revision) => ({ ...remove(`${at}link.md`)(revision), links: { [`${at}link.md`]: to } }),
    ),
  );
}

function put(path: string, text: string): Edit {
  return ({ files, links = {}, ...rest }) => ({
    ...rest,
    files: { ...files, [path]: text },
    links: Object.fromEntries(Object.entries(links).filter(([one]) => one !== path)),
  });
}

function remove(path: string): Edit {
  return (revision) => ({
    ...revision,
    files: Object.fromEntries(Object.entries(revision.files).filter(([one]) => one !== path)),
  });
}

describe.each(repositories.map((one) => [one.format, one] as const))(
  '%s, tree after tree',
  (format, repository) => {
    it('has the same results as for a tree that is analysed for the first time', async () => {
      const edits = fc.array(fc.array(editsOf(repository), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 6,
      });
      await fc.assert(
        fc.asyncProperty(edits, async (steps) => {
          const engine = createEngine();
          let revision: Revision = { files: repository.files };
          await analyse(engine, revision, format);
          for (const step of steps) {
            revision = step.reduce<Revision>((before, edit) => edit(before), { ...revision, renames: [] });
            const warm = await analyse(engine, revision, format);
            const cold = await analyse(createEngine({ cachesVerdicts: false }), revision, format);
            expect(plain(warm)).toEqual(plain(cold));
          }
        }),
        propertyRuns(15),
      );
    });

    it('checks nothing again when nothing changed, and only the links of an edited page', async () => {
      const engine = createEngine();
      const look = watch(engine);
      const first = await analyse(engine, repository, format);
      expect(look().links).toBeGreaterThanOrEqual(first.links.length);
      await analyse(engine, repository, format);
      expect(look()).toEqual({ blobs: 0, links: 0 });
      const page = first.files.find((path) => path.endsWith('a.md')) ?? '';
      const text = `${repository.files[page]}\nMore words.\n`;
      const second = await analyse(engine, put(page, text)(repository), format);
      const own = second.links.filter((link) => link.file === page).length;
      expect(
        look(),
        'More links were checked than those of the page: say in `shapedBy` what the rules use of a file.',
      ).toEqual({ blobs: 1, links: own });
    });
  },
);

describe('a table of contents of GitBook', () => {
  const paths = [
    ...['README.md', 'a.md', 'a/README.md', 'a-1.md', 'a/b.md', 'a/c.md', 'b.md', 'b/README.md'],
    ...['b/x.md', 'b/y.md', 'c/d.md', 'c/d/README.md', 'more/e.md', 'more-1.md'],
  ];
  const line = fc.oneof(
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('', '', '', '  ', '    '),
          fc.constantFrom(...paths, 'a', 'b', 'c/d', 'a.md#x'),
        )
        .map(([indent, path]) => `${indent}* [${path}](${path})`),
      weight: 6,
    },
    fc.constantFrom(
      '## More',
      '## A',
      '## B',
      '* Group',
      '* [Elsewhere](https://x.example/)',
      '* [more](a/c.md)',
    ),
  );
  const links = [
    ...paths,
    '/a',
    '/a-1',
    '/b',
    '/b/x',
    '/c/d',
    '/more',
    '/more-1',
    '/group',
    'a/',
    'c/',
    'more/',
  ];
  const page = `# All\n\n${links.map((one) => `[x](${one})`).join('\n')}\n`;

  it('is the same whichever files were added and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(line, { minLength: 2, maxLength: 16 }),
        fc.array(fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 2 }), {
          minLength: 2,
          maxLength: 8,
        }),
        async (lines, steps) => {
          const engine = createEngine();
          let files: Readonly<Record<string, string>> = {
            'all.md': page,
            'SUMMARY.md': `# Table of contents\n\n* [All](all.md)\n${lines.join('\n')}\n`,
            ...Object.fromEntries(paths.map((path) => [path, '# Page\n'])),
          };
          await analyse(engine, { files }, 'gitbook');
          for (const step of steps) {
            for (const path of step) {
              const { [path]: before, ...rest } = files;
              files = before === undefined ? { ...rest, [path]: '# Page\n' } : rest;
            }
            const warm = await analyse(engine, { files }, 'gitbook');
            const cold = await analyse(createEngine({ cachesVerdicts: false }), { files }, 'gitbook');
            expect(plain(warm)).toEqual(plain(cold));
          }
        },
      ),
      propertyRuns(20),
    );
  });
});

/** All that an analysis says, worked out. */
function plain(analysis: object): unknown {
  return JSON.parse(JSON.stringify(analysis));
}
