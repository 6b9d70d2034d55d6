import { describe, expect, it } from 'vitest';
import { gitbookFormat } from '../../../src/content/formats/gitbook/gitbook-format.ts';
import { gitbookSlug } from '../../../src/content/formats/gitbook/gitbook-headings.ts';
import {
  gitbookContentsReading,
  gitbookReading,
} from '../../../src/content/formats/gitbook/gitbook-reading.ts';
import { createEngine, detectSpaces, type TreeEntry } from '../../../src/content/index.ts';
import { analysisOf, readAtOnce, treeOf } from '../analysis-of.ts';

const repeat = (text: string, count = 20_000) => text.repeat(count);
const read = (text: string) => readAtOnce(gitbookReading, new TextEncoder().encode(text));
const analyse = (files: Readonly<Record<string, string>>) =>
  analysisOf({ files }, { name: 'gitbook', format: gitbookFormat });

describe('GitBook’s names of headings', () => {
  it.each([
    ['Set up', 'set-up'],
    ['What’s new', 'whats-new'],
    ["'Quoted' words", 'quoted-words'],
    ['Rock & roll', 'rock-and-roll'],
    ['a < b > c | d', 'a-less-than-b-greater-than-c-or-d'],
    ['3rd step', 'id-3rd-step'],
    ['snake_case.ts', 'snake_case.ts'],
    ['  --help  ', 'help'],
    ['Straße', 'strasse'],
    ['Ångström', 'angstroem'],
    ['naïve résumé', 'naive-resume'],
    ['🚀', ''],
    ['日本', ''],
  ])('%j is %j', (text, expected) => expect(gitbookSlug(text)).toBe(expected));
});

describe('the title of a page', () => {
  it.each([
    ['is its first heading', '# One\n# Two', 'One'],
    [
      'is none that a condition shows to some visitors',
      '{% if visitor.claims.pro %}\n{% if space.x %}\n# Hidden\n{% endif %}\n# Also\n{% endif %}\n# Two',
      'Two',
    ],
    ['is none after a condition without an end', '{% if visitor.claims.pro %}\n# Hidden', null],
    ['is one that a condition of the space shows', '{% if space.vars.x %}\n# One\n{% endif %}', 'One'],
    ['says nothing of the visitor', '# Welcome, {{ visitor.claims.name }}', 'Welcome,'],
  ])('%s', (_name, text, title) => expect(read(text).title).toBe(title));
});

describe('the positions of blocks', () => {
  it('reports where a tag is, and leaves the text after it in its position', () => {
    const { references } = read(
      'text\n\n* {% include "a.md" %} and [b](b.md)\r\n{% embed url="https://x.y" %}\n',
    );
    expect(
      references.map(({ target, line, column, endColumn }) => [target, line, column, endColumn]),
    ).toEqual([
      ['a.md', 3, 3, 23],
      ['b.md', 3, 28, 37],
      ['https://x.y', 4, 1, 30],
    ]);
  });

  it('reports where front matter names a file', () => {
    const { references } = read('---\ntitle: T\ncover: pictures/a.png\n---\n');
    expect(references).toMatchObject([
      { kind: 'front-matter', carrier: 'cover', target: 'pictures/a.png', line: 3, column: 8, endColumn: 22 },
    ]);
  });
});

describe('configuration that GitBook ignores', () => {
  const files = { 'README.md': '# Home', 'SUMMARY.md': '* [Home](README.md)\n' };

  it.each([
    ['\u200Bstructure:\n  readme: x.md\n', /“structure” holds an invisible character/],
    ['structure:\n  readme: README.md\u200B\n', /“readme” holds an invisible character/],
    [
      'structure:\n  readme: gone.md\n',
      /structure.readme names gone.md, which is not there; README.md is used/,
    ],
    ['structure: [\n', /not valid YAML/],
  ])('%j is told', (text, message) => {
    const { problems, pages } = analyse({ ...files, '.gitbook.yaml': text });
    expect(problems).toMatchObject([{ file: '.gitbook.yaml', message: expect.stringMatching(message) }]);
    expect(pages.map((page) => page.file)).toEqual(['README.md']);
  });

  it.each(['', 'root: ../elsewhere\n', 'redirects: [a]\n', 'root: 3\nredirects: {a: 1, 2024: README.md}\n'])(
    '%j is no mistake that stops anything',
    (text) => {
      const { pages } = analyse({ ...files, '.gitbook.yaml': text });
      expect(pages.map((page) => page.file)).toEqual(['README.md']);
    },
  );
});

describe('undefined variables', () => {
  const expression = (text: string) => `<code class="expression">${text}</code>`;
  const files = {
    'SUMMARY.md': '* [Home](README.md)\n',
    '.gitbook/vars.yaml': 'version: 1.2\npadded : x\n',
    '.gitbook/includes/note.md': `${expression('page.vars.any')} ${expression('space.vars.none')}`,
  };
  const told = (text: string, more: Readonly<Record<string, string>> = {}) =>
    analyse({ ...files, 'README.md': text, ...more })
      .problems.filter(({ file }) => file === 'README.md')
      .map(({ line, message, rule }) => `${line} ${rule} ${message.split(' ', 1)[0]}`);

  it.each([
    [expression('space.vars.version'), []],
    [expression('space.vars.padded'), []],
    [`# Home\n\nText ${expression('space.vars.verison')}`, ['3 unknown-variable space.vars.verison']],
    [`| a |\n|---|\n| ${expression('page.vars.x')} |`, ['3 unknown-variable page.vars.x']],
    [
      `<table><tr><td>${expression('space.vars.none')}</td></tr></table>`,
      ['1 unknown-variable space.vars.none'],
    ],
    [`---\nvars:\n  x: 1\n---\n${expression('page.vars.x')}`, []],
    [expression('visitor.claims.unsigned.name ?? &quot;x&quot;'), []],
    [`\`${expression('space.vars.none')}\``, []],
    [`\`\`\`\n${expression('space.vars.none')}\n\`\`\``, []],
    ['space.vars.none', []],
  ])('%j tells %j', (text, expected) => expect(told(text)).toEqual(expected));

  it('reports none if the file of variables is not in git, and none of a page’s in an include', () => {
    expect(told(expression('space.vars.none'), { '.gitbook/vars.yaml': '' })).toEqual([]);
    const { problems } = analyse({ ...files, 'README.md': '{% include ".gitbook/includes/note.md" %}' });
    expect(problems).toMatchObject([
      {
        file: '.gitbook/includes/note.md',
        line: 1,
        message: expect.stringMatching(/^space\.vars\.none is not/),
      },
    ]);
  });
});

describe('hostile pages', () => {
  const traps: Readonly<Record<string, string>> = {
    'open tags': repeat('{% '),
    'tags in one line': repeat('{% include "x.md" %} '),
    'a tag of quotes': `{% a ${repeat('b="')} %}`,
    'a tag of keys': `{% a ${repeat('b=')} %}`,
    backticks: Array.from({ length: 1_000 }, (_, at) => `${'`'.repeat(at)}{%`).join(''),
    fences: repeat('```\n'),
    dollars: repeat('$$ [a]'),
    'dollars on lines': repeat('$$\n'),
    'dollars behind backticks': `${Array.from({ length: 1_000 }, (_, at) => `${'`'.repeat(at)} `).join('')}$$ $$`,
    comments: repeat('<!-- {% '),
    'code elements': `${repeat('<code>{% ')}</pre>`,
    'repeated links': repeat('{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}\n', 5_000),
    'brackets in a body': `{% content-ref url="a.md" %}\n${repeat('[')}\n{% endcontent-ref %}`,
    'quotes before a fence': `${repeat('> ')}\`\`\``,
    'open summaries': repeat('<summary>', 5_000),
    'headings with braces': repeat('## a {#b}\n', 5_000),
    'hidden titles': repeat('{% if visitor.x %}\n# a\n{% endif %}\n', 5_000),
    'foreign headings': repeat('## 知识\n', 5_000),
  };

  it.each(Object.entries(traps))('%s', (_name, text) => {
    for (const reading of [gitbookReading, gitbookContentsReading]) {
      const facts = readAtOnce(reading, new TextEncoder().encode(text));
      expect(facts.complete || facts.problems.length > 0).toBe(true);
    }
  });

  it('includes that include each other, and themselves', () => {
    const { links } = analyse({
      'SUMMARY.md': '* [Home](README.md)\n',
      'README.md': '{% include ".gitbook/includes/a.md" %}\n\n[x](#b) [y](#none)\n',
      '.gitbook/includes/a.md': '{% include "b.md" %}\n{% include "a.md" %}\n',
      '.gitbook/includes/b.md': '## B\n\n{% include "a.md" %}\n',
    });
    expect(links.filter((link) => link.status !== 'ok').map((link) => link.target)).toEqual(['#none']);
  });
});

it('reads the redirects of a long configuration once, to detect a space and to open it, and not as it is parsed', async () => {
  let reads = 0;
  let isParsing = false;
  const redirects = new Proxy(
    { old: 'a.md' },
    {
      ownKeys(target) {
        reads += 1;
        expect(isParsing).toBe(false);
        return Reflect.ownKeys(target);
      },
    },
  );
  const readValues = async () => {
    isParsing = true;
    setImmediate(() => {
      isParsing = false;
    });
    return { values: { redirects }, error: null, isRead: true };
  };
  const text = `redirects:\n${'  old: a.md\n'.repeat(1_000)}`;
  const { tree, blobs } = treeOf({ files: { '.gitbook.yaml': text, 'a.md': '# A' } });
  const options = {
    tree,
    async *read(entries: readonly TreeEntry[]) {
      for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid)) };
    },
  };
  expect(await detectSpaces({ ...options, readValues })).toMatchObject([{ format: 'gitbook' }]);
  const engine = createEngine({ readValues });
  const analysis = await engine.analyse({ ...options, directory: '', format: 'gitbook' });
  expect(analysis.settings.redirects).toEqual(new Map([['old', 'a.md']]));
  expect(reads).toBe(1);
});
