import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/content/index.ts';
import { isWhole } from '../support/describe-at-length.ts';
import { analysisOf } from './analysis-of.ts';
import { readFacts } from './read-facts.ts';

/** CI tries what is so long that time which grows with the square takes minutes. */
const MANY = isWhole('hostile files of 100,000 parts') ? 100_000 : 10_000;
const repeat = (text: string, count = MANY) => text.repeat(count);
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Traps for parsers; each is read in linear time, far below the limit, or says in a problem that it was not. */
const traps: Readonly<Record<string, string>> = {
  'links by the thousand': repeat('[a](b.md) '),
  'nested quotes': repeat('>'),
  'nested quotes with spaces': repeat('> '),
  'nested quotes and lists': repeat('> - '),
  'nested lists': repeat('- '),
  'nested numbers': repeat('1. '),
  'lists ever deeper': lines(2_000, (at) => `${' '.repeat(at * 2)}- a`),
  'open brackets': repeat('['),
  'open pictures': `${repeat('![')}${repeat('](b)')}`,
  'links in links': `${repeat('[a')}${repeat('](b)')}`,
  'open emphasis': repeat('*a **b _c '),
  'open tags': repeat('<a href="'),
  'open tags without quotes': repeat('<a href='),
  'open elements': repeat('<div>'),
  'nested headings': repeat('<h1>'),
  'attributes by the thousand': `<a ${lines(MANY, (at) => `a${at}=1`)} href="b.md">`,
  'links in one HTML block': `<div>\n${repeat('<a href="b.md">x</a>\n')}</div>`,
  'open comments': repeat('<!-- '),
  'comments that end and open': repeat('<!-- --> <b>'),
  'open declarations': repeat('a <![CDATA['),
  'character references': repeat('&amp;'),
  'character references over many lines': repeat('a &amp;\n'),
  'character references in HTML': `<div title="${repeat('&amp;')}">`,
  backticks: lines(1_000, (at) => `${'`'.repeat(at)}a`),
  definitions: `${lines(20_000, (at) => `[a${at}]: x${at}.md`)}\n\n${lines(20_000, (at) => `[a${at}]`)}`,
  'equal headings': repeat('# a\n', 30_000),
  'a heading without end': `# ${repeat('abc ')}`,
  'a wide table': `${repeat('|a', 3_000)}|\n${repeat('|-', 3_000)}|\n${repeat(`${repeat('|a', 3_000)}|\n`, 20)}`,
  'a long srcset': `<img srcset="${repeat('a.png 1x, ')}">`,
  'digits in a srcset': `<img srcset="a ${repeat('1')}">`,
  'spaces in a srcset': `<img srcset="a${repeat(' ')}b">`,
  'bare addresses': repeat('http://a.b/( '),
  'as many as fit into a file': repeat('www.a.b a@b.cc ', 250_000),
  'dots in an address': `https://a.b/${repeat('.')}x`,
  'underscores in an address in HTML': `<a href="www.a.b/${repeat('_', 10 * MANY)}x">`,
  'rows of dots in one address': `https://a.b/${repeat(`${'.'.repeat(499)}x`, MANY / 50)}`,
  'links in one line with a letter beyond ASCII': `é${repeat('[a](b.md) ')}`,
  'underscores and dots in one line': repeat('_.', 10 * MANY),
  'underscores in pairs': repeat('__.', 5 * MANY),
  'open elements behind letters beyond ASCII': `${repeat('(&<x>')}é**`,
  'a long destination beyond ASCII': `[x](<${repeat('é', 10 * MANY)}>)`,
  footnotes: lines(20_000, (at) => `[^${at}]`),
  'carriage returns': repeat('a\r'),
  'NUL bytes': repeat('\0'),
};

/** Large, and yet nothing to refuse: what looks costly is spread over many blocks. */
const harmless: Readonly<Record<string, string>> = {
  'a long list': lines(8_000, (at) => `* [A &amp; B @ C](page-${at}.md) https://example.com/${at}`),
  'a long table': `| a | b |\n|---|---|\n${lines(8_000, (at) => `| x &amp; y | [z](page-${at}.md) |`)}`,
  'a long code block': `[a](b.md)\n\n\`\`\`json\n${lines(20_000, () => '{"key": "&amp; http://a.b"},')}\n\`\`\``,
  'many definitions': `[a]\n\n${lines(8_000, (at) => `[a${at === 0 ? '' : at}]: https://example.com/${at}?a&b`)}`,
  'a long line of prose beyond ASCII': `${repeat('né à l’[a](b.md) ', 2_000)}`,
  'many names with underscores': lines(30_000, (at) => `- [snake_case_name](page_${at}.md)`),
  'a long rule': `${repeat('-')}\n\n[a](b.md)`,
  'a long rule of underscores behind an address': `https://example.com\n\n${repeat('_')}\n\n[a](b.md)`,
  'dots behind an address': `https://example.com ${repeat('.')}\n\n[a](b.md)`,
};

describe('hostile files', () => {
  it.each(Object.entries(harmless))('harmless: %s', (_name, text) => {
    const facts = readFacts('a.md', new TextEncoder().encode(text));
    expect(facts).toMatchObject({ complete: true, problems: [] });
    expect(facts.references.length).toBeGreaterThan(0);
  });

  it.each(Object.entries(traps))('%s', (_name, text) => {
    const facts = readFacts('a.md', new TextEncoder().encode(text));
    expect(facts.complete || facts.problems.length > 0).toBe(true);
  });

  const frontMatter: Readonly<Record<string, string>> = {
    'aliases that multiply': `a: &a [x, x, x, x, x, x, x, x, x, x]\n${lines(9, (at) => `${'bcdefghij'[at]}: &${'bcdefghij'[at]} [${repeat(`*${'abcdefghi'[at]}, `, 10)}]`)}`,
    'an alias of itself': 'a: &a [*a]',
    'endless nesting': repeat('[', 20_000),
    'endless nesting by indent': lines(300, (at) => `${' '.repeat(at)}a:`),
    'too long': `a: ${repeat('x')}`,
    'an unknown tag': 'a: !!js/function "x"',
  };

  it.each(Object.entries(frontMatter))('front matter: %s', (_name, yaml) => {
    const facts = readFacts('a.md', new TextEncoder().encode(`---\n${yaml}\n---\n\n[a](b.md)\n`));
    expect(facts.references).toHaveLength(1);
    expect(JSON.stringify(facts.frontMatter).length).toBeLessThan(100_000);
  });

  it('front matter cannot reach the prototype of objects', () => {
    const text = '---\n__proto__: { polluted: true }\nconstructor: { x: 1 }\n---\n';
    const facts: FileFacts = readFacts('a.md', new TextEncoder().encode(text));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(facts.frontMatter)).toBe(Object.prototype);
  });
});

describe('hostile trees', () => {
  it('searches for similar headings only so far', () => {
    const count = isWhole('3,000 links to headings that are missing among 3,000 like them') ? 3_000 : 1_000;
    const headings = lines(count, (at) => `## A heading with the number ${at}`);
    const links = lines(count, (at) => `[x](b.md#a-heading-without-the-number-${at})`);
    const analysis = analysisOf({ files: { 'a.md': links, 'b.md': headings } });
    expect(analysis.links.every((link) => link.rule === 'missing-anchor')).toBe(true);
  });

  it.each([
    ['names of files that are elsewhere', (at: number) => `[a](n${at}.md)`],
    ['links that the page shows as code, too', (at: number) => `\`[a](n${at}.md)\` [a](n${at}.md)`],
  ] as const)('looks only so far among %s', (_name, line) => {
    const { links } = analysisOf({ files: { 'd/a.md': lines(60_000, line), 'e/n1.md': '# N' } });
    expect(links).toHaveLength(60_000);
    expect(links.every(({ status }) => status !== 'ok')).toBe(true);
  });

  it('accepts paths of any length and depth', () => {
    const files = {
      'a.md': [
        `[x](${repeat('../')}x.md)`,
        `[x](${repeat('a/')}x.md)`,
        `[x](${repeat('%20')})`,
        `[x](#${repeat('a')})`,
      ].join('\n\n'),
      [`${repeat('d/', 1_000)}b.md`]: '# B',
    };
    const { links, pages } = analysisOf({ files, links: { loop: 'loop/loop/loop' } });
    expect(links.map((link) => link.rule)).toEqual([
      'outside-repository',
      'missing-page',
      'missing-file',
      'missing-anchor',
    ]);
    expect(pages).toHaveLength(2);
  });

  it('accepts names with line breaks, punctuation and other Unicode forms', () => {
    const composed = 'caf\u{e9}.md';
    const decomposed = 'cafe\u{301}.md';
    const files = {
      'a\nb.md': '# x',
      [decomposed]: '# nfd',
      '__proto__.md': '# p',
      'a.md': `[x](${composed}) [y](__proto__.md)`,
    };
    const { links } = analysisOf({ files });
    expect(links.map((link) => link.rule)).toEqual(['case-mismatch', null]);
    expect(links[0]?.suggestion).toBe(decomposed);
  });
});
