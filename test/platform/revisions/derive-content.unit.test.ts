import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doAtOnce, doInTurns } from '../../../src/content/engine/index.ts';
import { createEngine, type FormatName, type TreeEntry } from '../../../src/content/index.ts';
import type { ContentRows, DerivedContent } from '../../../src/platform/revisions/content-rows.ts';
import { deriveContent } from '../../../src/platform/revisions/derive-content.ts';
import { nameContent } from '../../../src/platform/revisions/name-content.ts';
import type { ContentId } from '../../../src/store/content-ids.ts';
import { analysisOf } from '../../content/analysis-of.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const NOTHING: ContentRows = {
  pages: new Map(),
  files: new Map(),
  entries: new Map(),
  settings: new Map(),
  linkSets: new Map(),
  targets: { pageIds: new Map(), fileIds: new Map(), treeUrl: undefined },
  source: null,
};

type Files = Readonly<Record<string, string | null>>;

const START: Readonly<Record<string, string>> = {
  '.gitbook/includes/part.md': 'Part.\n\n{% include "gone.md" %}\n',
  'README.md': '# Home\n\n[a](a.md) [b](sub/b.md#part)\n',
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [A](a.md)\n  * [B](sub/b.md)\n* [C](c.md)\n* [Parts](parts.md)\n',
  'a.md': '# A\n\n[home](README.md) [b](sub/b.md#part) [gone](gone.md)\n',
  'c.md': '---\ncover: pictures/one.png\nhidden: true\n---\n\n# C\n\n![](pictures/one.png)\n',
  'parts.md': '# Parts\n\n{% include ".gitbook/includes/part.md" %}\n',
  'pictures/one.png': 'one',
  'sub/b.md': '# B\n\n## Part\n\nWords.\n',
};

/** What a push may do, by name. */
const EDITS: Readonly<Record<string, (turn: number) => Files>> = {
  'edits a text': (turn) => ({ 'a.md': `${START['a.md']}\nMore ${turn}.\n` }),
  'changes a title': (turn) => ({ 'sub/b.md': `# B ${turn}\n\n## Part\n\n[a](../a.md)\n` }),
  'takes a heading that is linked to': (turn) => ({ 'sub/b.md': `# B\n\nWords ${turn}.\n` }),
  'takes all links': (turn) => ({ 'README.md': `# Home ${turn}\n` }),
  'hides a page': (turn) => ({ 'a.md': `---\nhidden: true\n---\n\n# A\n\n[b](sub/b.md) ${turn}\n` }),
  'describes a page': (turn) => ({ 'a.md': `---\ndescription: Of ${turn}\n---\n\n# A\n` }),
  'takes a cover': (turn) => ({ 'c.md': `# C ${turn}\n` }),
  'gives a cover': (turn) => ({ 'a.md': `---\ncover: pictures/one.png\n---\n\n# A ${turn}\n` }),
  'changes a picture': (turn) => ({ 'pictures/one.png': `one ${turn}` }),
  'adds a page': (turn) => ({ [`new-${turn}.md`]: '# New\n\n[a](a.md)\n' }),
  'adds what is missing': () => ({ 'gone.md': '# Gone\n' }),
  'deletes a page': () => ({ 'c.md': null }),
  'changes the contents': (turn) => ({
    'SUMMARY.md': `# Contents\n\n* [Home](README.md)\n* [B ${turn}](sub/b.md)\n* [A](a.md)\n`,
  }),
  'changes variables': (turn) => ({ '.gitbook/vars.yaml': `version: ${turn}\n` }),
  'changes redirects': (turn) => ({ '.gitbook.yaml': `redirects:\n  old-${turn}: a.md\n` }),
  'changes a part': (turn) => ({ '.gitbook/includes/part.md': `Part ${turn}.\n` }),
  'puts a part into a part': (turn) => ({
    '.gitbook/includes/part.md': `Part ${turn}.\n\n{% include "more.md" %}\n`,
    '.gitbook/includes/more.md': `More ${turn}.\n`,
  }),
  'takes a part away': () => ({ '.gitbook/includes/part.md': null }),
  'hides a page with parts': (turn) => ({
    'parts.md': `---\nhidden: true\n---\n\n# Parts ${turn}\n\n{% include ".gitbook/includes/part.md" %}\n`,
  }),
  'adds a file that nobody reads': (turn) => ({ 'tool.js': `// ${turn}\n` }),
};

/** One space as its versions follow each other, with what was read for each. */
class Follower {
  readonly #engine = createEngine();
  readonly #format: FormatName;
  #known: readonly ContentId[] = [];
  #given = 0;
  #previous = NOTHING;

  constructor(format: FormatName) {
    this.#format = format;
  }

  async follow(files: ReadonlyMap<string, string>) {
    const blobs = new Map([...files.values()].map((text) => [oidOf(text), new TextEncoder().encode(text)]));
    const tree = [...files]
      .map(([path, text]): TreeEntry => ({ path, oid: oidOf(text), mode: 'file' }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const analysis = await this.#engine.analyse({
      tree,
      directory: '',
      format: this.#format,
      read: async function* (entries) {
        for (const { oid } of entries) yield { oid, bytes: blobs.get(oid) ?? new Uint8Array() };
      },
    });
    const derive = (previous: ContentRows) => {
      let given = this.#given;
      const newId = () => `id${++given}`;
      const names = nameContent({ known: this.#known, renames: [], becomesCurrent: true, newId });
      const stored = analysis.assets.map(({ path, oid }) => ({
        path,
        oid,
        size: 1,
        dimensions: null,
        state: 'stored' as const,
      }));
      const now = new Date(given);
      const derived = doAtOnce(
        deriveContent(analysis, {
          tree,
          names,
          previous,
          stored,
          unread: new Set(),
          treeUrl: undefined,
          language: 'en',
          now,
        }),
      );
      return { derived, given, ids: names.changes().assigned };
    };
    const anew = derive({ ...this.#previous, linkSets: new Map(), source: null });
    const { derived, given, ids } = derive(this.#previous);
    const wasPatched = derived.rows.targets === this.#previous.targets;
    this.#given = given;
    this.#known = [...this.#known, ...ids];
    this.#previous = derived.rows;
    return { derived: tell(derived), anew: tell(anew.derived), wasPatched };
  }
}

function oidOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** All that is written or kept, without the order in which rows are written. */
function tell({ rows, changes, ...others }: DerivedContent) {
  const sorted = ({ removed, added }: { removed: readonly string[]; added: readonly object[] }) => ({
    removed: removed.toSorted(),
    added: added.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort(),
  });
  return {
    ...others,
    pages: [...rows.pages],
    entries: [...rows.entries],
    files: [...rows.files],
    settings: [...rows.settings],
    sets: [...rows.linkSets].map(([path, { id, counts }]) => [path, id, counts]).sort(),
    targets: rows.targets,
    changes: {
      pages: sorted(changes.pages),
      entries: sorted(changes.entries),
      files: sorted(changes.files),
      settings: sorted(changes.settings),
      links: [...changes.links].sort(),
    },
  };
}

function applied(files: ReadonlyMap<string, string>, edits: Files): ReadonlyMap<string, string> {
  const next = new Map(files);
  for (const [path, text] of Object.entries(edits)) {
    if (text === null) next.delete(path);
    else next.set(path, text);
  }
  return next;
}

describe.each<FormatName>(['github', 'gitbook'])('a version of %s content', (format) => {
  it('is the same whether derived from the previous one or from scratch, whatever a push changes', async () => {
    const pushes = fc.array(fc.constantFrom(...Object.keys(EDITS)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pushes, async (names) => {
        const follower = new Follower(format);
        let files: ReadonlyMap<string, string> = new Map(Object.entries(START));
        await follower.follow(files);
        for (const [turn, name] of names.entries()) {
          files = applied(files, EDITS[name]?.(turn) ?? {});
          const { derived, anew } = await follower.follow(files);
          expect(derived, `${names.slice(0, turn + 1)}`).toEqual(anew);
        }
      }),
      propertyRuns(40),
    );
  });

  it('is derived from the previous one if only a text differs', async () => {
    const follower = new Follower(format);
    const files: ReadonlyMap<string, string> = new Map(Object.entries(START));
    expect((await follower.follow(files)).wasPatched).toBe(false);
    const edited = applied(files, { 'a.md': `${START['a.md']}\nMore.\n` });
    expect((await follower.follow(edited)).wasPatched).toBe(true);
    const others = applied(edited, EDITS['changes a part']?.(1) ?? {});
    expect((await follower.follow(others)).wasPatched).toBe(true);
    expect((await follower.follow(applied(others, { 'new.md': '# New\n' }))).wasPatched).toBe(false);
  });
});

it('lets others use the thread while it compares tens of thousands of settings', async () => {
  const redirects = new Map(Array.from({ length: 20_000 }, (_, at) => [`old-${at}`, 'a.md']));
  const analysis = {
    ...analysisOf({ files: { 'a.md': '# A' } }),
    settings: { reusable: [], variables: {}, redirects },
  };
  const { turns, result } = await turnsDuring(
    doInTurns(
      deriveContent(analysis, {
        tree: [],
        names: nameContent({ known: [], renames: [], becomesCurrent: true, newId: () => 'id' }),
        previous: NOTHING,
        stored: [],
        unread: new Set(),
        treeUrl: undefined,
        language: 'en',
        now: new Date(0),
      }),
    ),
  );
  expect(result.changes.settings.added).toHaveLength(20_000);
  expect(turns).toBeGreaterThanOrEqual(350);
});
