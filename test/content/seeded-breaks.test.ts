import { describe, expect, it } from 'vitest';
import { compareTrees } from '../../src/content/compare/index.ts';
import {
  createEngine,
  detectRenames,
  detectSpaces,
  type Link,
  type ReadBlobs,
} from '../../src/content/index.ts';
import { treeOf } from './analysis-of.ts';

type Files = Readonly<Record<string, string>>;

interface Site {
  readonly builder: string;
  /** The configuration, with something that may make pages. */
  readonly config: Files;
  /** The folder of its pages. */
  readonly pages: string;
  /** True where links are the addresses of pages, not the paths of their files. */
  readonly hasAddresses?: true;
}

const sites: readonly Site[] = [
  { builder: 'no builder', config: {}, pages: 'docs' },
  {
    builder: 'GitBook',
    config: {
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n* [D](d.md)\n',
      '.gitbook.yaml': 'root: ./\n',
    },
    pages: '',
  },
  {
    builder: 'mdBook, with a preprocessor',
    config: {
      'book.toml': '[book]\ntitle = "X"\n[preprocessor.own]\ncommand = "own"\n',
      'src/SUMMARY.md': '- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](d.md)\n',
    },
    pages: 'src',
  },
  {
    builder: 'MkDocs, with a plugin and a hook',
    config: {
      'mkdocs.yml': 'site_name: X\nplugins: [search, llmstxt]\nhooks: [hooks.py]\n',
      'hooks.py': 'def on_files(files, config): pass\n',
    },
    pages: 'docs',
  },
  {
    builder: 'VitePress, with a spread and a plugin of Vite',
    config: {
      'docs/.vitepress/config.ts':
        "import { shared } from 'pkg'\nexport default defineConfig({ ...shared, vite: { plugins: [made()] } })\n",
    },
    pages: 'docs',
  },
  {
    builder: 'Docusaurus, with a function and a plugin',
    config: {
      'docusaurus.config.js':
        "module.exports = async () => ({ url: 'https://x.org', baseUrl: '/', presets: [['classic', { docs: {} }]], plugins: ['made-pages'] })\n",
      'package.json': '{ "dependencies": { "@docusaurus/core": "3.0.0" } }',
    },
    pages: 'docs',
  },
  {
    builder: 'Starlight, with a plugin',
    config: {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default defineConfig({ integrations: [starlight({ title: 'X', plugins: [starlightBlog()] })] })\n",
      'package.json': '{ "dependencies": { "@astrojs/starlight": "0.30.0" } }',
    },
    pages: 'src/content/docs',
    hasAddresses: true,
  },
  { builder: 'Hugo, whose rules are not known', config: { 'hugo.toml': "title = 'X'\n" }, pages: 'content' },
  {
    builder: 'Sphinx, whose rules are not known',
    config: { 'docs/conf.py': "project = 'X'\nextensions = ['made']\n" },
    pages: 'docs',
  },
  {
    builder: 'a program that is not known, with a list of pages',
    config: { 'docs/menu.json': '["a", "b", "c", "d"]' },
    pages: 'docs',
  },
  {
    builder: 'a program that is not known, as most links show',
    config: {
      'docs/site.md': '[1](/one) [2](/two) [3](three) [4](four) [5](five) [6](six) [7](seven) [8](eight)',
    },
    pages: 'docs',
  },
];

const texts: Files = {
  'a.md': '# A\n\n[b](b.md) [c](c.md#part) ![picture](img/p.png) [d](./d.md)\n',
  'b.md': '# B\n\n[a](a.md) [part](./c.md#part)\n',
  'c.md': '# C\n\n## Part\n\n[b](./b.md)\n\n![picture](./img/p.png)\n',
  'd.md': '# D\n\n## Another\n\n[another](#another) [a](./a.md)\n',
  'img/p.png': 'png',
};

/** What a change does to one file, null to remove it, and the links that it breaks. */
const seeds: readonly (readonly [
  name: string,
  file: string,
  text: string | null,
  breaks: readonly string[],
])[] = [
  ['a deleted page', 'b.md', null, ['a.md b.md', 'c.md ./b.md']],
  ['another deleted page', 'c.md', null, ['a.md c.md#part', 'b.md ./c.md#part']],
  [
    'a renamed heading',
    'c.md',
    (texts['c.md'] ?? '').replace('## Part', '## Something new'),
    ['a.md c.md#part', 'b.md ./c.md#part'],
  ],
  ['a deleted picture', 'img/p.png', null, ['a.md img/p.png', 'c.md ./img/p.png']],
];

async function sideOf(files: Files) {
  const { tree, blobs } = treeOf({ files });
  const read: ReadBlobs = async function* (entries) {
    for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(blobs.get(oid)) };
  };
  return { tree, read, spaces: await detectSpaces({ tree, read }), ignore: [] };
}

async function breaksOf(base: Files, head: Files): Promise<readonly Link[]> {
  const [older, newer] = [await sideOf(base), await sideOf(head)];
  const compared = await compareTrees(createEngine({ cachesVerdicts: true }), {
    base: older,
    head: newer,
    renames: detectRenames(older.tree, newer.tree),
    repository: null,
    comments: { commentsIn: () => () => undefined },
    today: '2030-01-01',
    findsLostAddresses: false,
  });
  return compared.introduced;
}

describe.each(sites.map((site) => [site.builder, site] as const))('seeded breaks: %s', (_builder, site) => {
  const inside = (path: string) => (site.pages === '' ? path : `${site.pages}/${path}`);
  const write = (text: string) =>
    site.hasAddresses === true ? text.replace(/(?:\.\/)?\b([a-d])\.md(?=[#)]|$)/g, '/$1/') : text;
  const base: Files = {
    ...site.config,
    ...Object.fromEntries(Object.entries(texts).map(([path, text]) => [inside(path), write(text)])),
  };

  it.each(seeds)('%s', async (_seed, file, text, breaks) => {
    const others = Object.entries(base).filter(([path]) => path !== inside(file));
    const head = Object.fromEntries(text === null ? others : [...others, [inside(file), write(text)]]);
    const introduced = await breaksOf(base, head);
    const pages = introduced.filter(
      ({ file: page }) => page !== 'SUMMARY.md' && !page.endsWith('/SUMMARY.md'),
    );
    expect(pages.map(({ file: page, target }) => `${page} ${target}`).sort()).toEqual(
      breaks.map((each) => inside(each.replace(/ .*/, (target) => write(target)))).sort(),
    );
  });

  it('a change of words breaks nothing', async () => {
    const page = inside('d.md');
    expect(await breaksOf(base, { ...base, [page]: `${base[page] ?? ''}\nMore words.\n` })).toEqual([]);
  });
});
