import { describe, expect, it } from 'vitest';
import { analysisOf } from '../analysis-of.ts';

const pages = {
  'a.md': '[b](b.md) [none](none.md) [part](#none) [root](/none/) [name](none)',
  'b.md': '# B',
};

function verdictsWith(files: Readonly<Record<string, string>>) {
  const { links, problems } = analysisOf({ files: { ...pages, ...files } });
  return {
    verdicts: links.filter(({ file }) => file.startsWith('a.md')).map(({ status }) => status),
    problems,
  };
}

describe('builders whose rules are not known', () => {
  it.each([
    ['Hugo', 'hugo.toml', "baseURL = 'https://example.org/'"],
    ['Hugo', 'hugo.yaml', 'baseURL: https://example.org/'],
    ['Hugo', 'config.toml', 'baseURL = "https://example.org/"'],
    ['Hugo', 'config/_default/hugo.toml', "title = 'X'"],
    ['Zola', 'config.toml', 'base_url = "https://example.org"'],
    ['Zensical', 'zensical.toml', '[project]\nsite_name = "X"'],
    ['ProperDocs', 'properdocs.yml', 'site_name: X'],
    ['Jekyll', '_config.yml', 'title: X'],
    ['Jupyter Book', '_toc.yml', 'format: jb-book\nroot: a'],
    ['MyST', 'myst.yml', 'version: 1'],
    ['Quarto', '_quarto.yml', 'project: {}'],
    ['Sphinx', 'conf.py', "project = 'X'\nextensions = ['myst_parser']"],
    ['Mintlify', 'docs.json', '{ "navigation": {} }'],
    ['Mintlify', 'mint.json', '{}'],
    ['Nextra', 'next.config.mjs', "import nextra from 'nextra'"],
    ['Next.js', 'next.config.js', 'module.exports = {}'],
    ['Fumadocs', 'source.config.ts', "import { defineDocs } from 'fumadocs-mdx/config'"],
    ['Eleventy', 'eleventy.config.js', 'module.exports = {}'],
    ['Eleventy', '.eleventy.js', 'module.exports = {}'],
    ['Antora', 'antora.yml', 'name: x'],
    ['HonKit', 'book.json', '{ "title": "X" }'],
    ['Documenter.jl', 'make.jl', 'makedocs(sitename = "X")'],
    ['Doxygen', 'Doxyfile', 'PROJECT_NAME = "X"'],
    ['Docsify', 'index.html', '<script>window.$docsify = {}</script>'],
    ['dumi', '.dumirc.ts', 'export default {}'],
    ['docs-builder', '_docset.yml', 'project: x\ntoc: []'],
    ['Fern', 'docs.yml', 'navigation: []'],
    ['Observable Framework', 'observablehq.config.js', 'export default {}'],
  ])('%s is recognised by %s, and named in one notice', (builder, marker, text) => {
    const { verdicts, problems } = verdictsWith({ [marker]: text });
    expect(verdicts).toEqual(['ok', 'broken', 'unchecked', 'unchecked', 'unchecked']);
    expect(problems).toMatchObject([{ file: marker, line: null, rule: 'unknown-builder' }]);
    expect(problems[0]?.message).toMatch(new RegExp(`^${builder} builds the repository, `));
  });

  it.each([
    ['Eleventy', 'package.json', '{ "scripts": { "docs": "npx @11ty/eleventy --input=docs" } }'],
    ['Gatsby', 'netlify.toml', '[build]\n  command = "gatsby build"'],
    ['Hexo', 'package.json', '{ "scripts": { "site": "hexo generate" } }'],
    ['DocPad', 'Makefile', 'site:\n\tdocpad generate --env static'],
    ['Zola', '.github/workflows/site.yml', 'steps:\n  - run: zola --root docs build'],
    ['Nanoc', 'Makefile', 'site:\n\tbundle exec nanoc compile'],
    ['Middleman', 'Makefile', 'site:\n\tbundle exec middleman build'],
    ['Docsify', 'package.json', '{ "scripts": { "docs": "docsify serve docs" } }'],
    ['Wintersmith', 'package.json', '{ "scripts": { "docs": "wintersmith build" } }'],
    ['Metalsmith', 'package.json', '{ "scripts": { "docs": "metalsmith" } }'],
    ['Sphinx', '.readthedocs.yaml', 'build:\n  commands:\n    - sphinx-build -b html docs _site'],
    ['Jekyll', 'vercel.json', '{\n  "buildCommand": "jekyll build -s docs"\n}'],
  ])('%s is recognised by a command in %s, for the folder that it publishes', (builder, marker, text) => {
    const files = { 'docs/c.md': '[part](#none) [name](none)', [marker]: text };
    const { links, problems } = analysisOf({ files });
    expect(links.map(({ status }) => status)).toEqual(['unchecked', 'unchecked']);
    expect(problems).toMatchObject([{ file: marker, line: null, rule: 'unknown-builder' }]);
    expect(problems[0]?.message).toMatch(new RegExp(`^${builder} builds docs, `));
  });

  it.each([
    ['package.json', '{ "scripts": { "test": "vitest", "gatsby": "echo" } }'],
    ['package.json', '{ "dependencies": { "hexo": "1" } }'],
    ['package.json', '{'],
    ['Makefile', '# hugo server\nbuild:\n\tgo build ./cmd/hugo-like'],
    ['tests/package.json', '{ "scripts": { "docs": "docsify serve ../docs" } }'],
  ])('%s without such a command changes nothing', (marker, text) => {
    const { links, problems } = analysisOf({ files: { 'docs/c.md': '[part](#none)', [marker]: text } });
    expect(links.map(({ status }) => status)).toEqual(['broken']);
    expect(problems).toEqual([]);
  });

  it('are named by the pages of a folder, where the project around it is of another one', () => {
    const index = '---\ntitle: X\n---\n';
    const built = (files: Readonly<Record<string, string>>) =>
      analysisOf({ files: { 'docs/_index.md': index, 'docs/c.md': '', ...files } }).problems.map(
        ({ message }) => message.split(',', 1)[0],
      );
    expect(built({})).toEqual(['Hugo builds docs']);
    expect(built({ '_config.yml': '' }).sort()).toEqual(['Hugo builds docs', 'Jekyll builds the repository']);
    expect(built({ 'config.toml': 'base_url = "https://example.org"' })).toEqual([
      'Zola builds the repository',
    ]);
  });

  it.each([
    ['config.toml', 'name = "a tool"'],
    ['docs.json', '{ "documents": [] }'],
    ['conf.py', 'x = 1'],
    ['book.json', '{ "isbn": 1 }'],
  ])('a %s of another tool changes nothing', (marker, text) => {
    const { verdicts, problems } = verdictsWith({ [marker]: text });
    expect(verdicts).toEqual(['ok', 'broken', 'broken', 'broken', 'broken']);
    expect(problems).toEqual([]);
  });

  it('reads which folders Doxygen takes its texts from', () => {
    const { links } = analysisOf({
      files: {
        'doc/lib.doxyfile': 'INPUT = ../src/ \\\n        ../boards',
        'boards/a/doc.md': '![x](a.svg) [y](none.md)',
        'doc/img/a.svg': '',
        'other.md': '[x](none/)',
      },
    });
    expect(links.map(({ target, status }) => `${target} ${status}`)).toEqual([
      'a.svg unchecked',
      'none.md broken',
      'none/ broken',
    ]);
  });

  it('names each builder once, with the number of its projects', () => {
    const { problems } = verdictsWith({ 'x/hugo.toml': '', 'y/hugo.toml': '', 'z/_config.yml': '' });
    expect(problems.map(({ message }) => message.slice(0, message.indexOf(',')))).toEqual([
      'Hugo builds 2 folders',
      'Jekyll builds z',
    ]);
  });

  it('reads MDX that no known builder publishes, without certainty about its addresses', () => {
    const page =
      'import X from \'./X\'\n\n# A\n\n[b](./b.md) <X href="/none" />\n\n[none](./none.md) [there](there)\n';
    const { links, problems } = analysisOf({ files: { 'docs/a.mdx': page, 'docs/b.md': '# B' } });
    expect(links.map(({ target, status }) => `${target} ${status}`)).toEqual([
      './b.md ok',
      '/none unchecked',
      './none.md broken',
      'there unchecked',
    ]);
    expect(problems).toEqual([]);
  });
});
