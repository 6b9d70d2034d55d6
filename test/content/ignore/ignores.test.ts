import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareIgnoring } from '../../../src/content/compare/index.ts';
import { createIgnores, type IgnoreRule } from '../../../src/content/ignore/index.ts';
import { readIgnoreComments } from '../../../src/content/ignore/read-ignore-comments.ts';
import { compileGlob } from '../../../src/content/text/compile-glob.ts';
import { analysisOf } from '../analysis-of.ts';

const read = (name: string) =>
  parse(readFileSync(new URL(`../../../fixtures/content/ignore/${name}`, import.meta.url), 'utf8'));

interface GlobCase {
  readonly pattern: string;
  readonly fits: readonly string[];
  readonly not: readonly string[];
}

interface CommentCase {
  readonly name: string;
  readonly page: string;
  readonly counts: readonly string[];
  readonly problems?: readonly string[];
}

interface RuleCase {
  readonly name: string;
  readonly rules: readonly Partial<IgnoreRule>[];
  readonly counts: readonly string[];
  readonly problems?: readonly string[];
}

const ruleOf = (rule: Partial<IgnoreRule>, at: number): IgnoreRule => ({
  target: null,
  file: null,
  rule: null,
  reason: 'why',
  until: null,
  line: at + 1,
  ...rule,
});

/** The ignoring of one page in docs/. */
function ignoresOf(page: string, rules: readonly Partial<IgnoreRule>[] = []) {
  const comments = readIgnoreComments('docs/a.md', new TextEncoder().encode(page));
  return createIgnores({
    rules: rules.map(ruleOf),
    commentsOf: (file) => (file === 'docs/a.md' ? comments : undefined),
    today: '2030-06-15',
  });
}

const analyse = (page: string) => analysisOf({ files: { 'docs/a.md': page, 'docs/page.md': '# Page\n' } });

const broken = (links: readonly { readonly status: string; readonly target: string }[]) =>
  links.filter((link) => link.status === 'broken').map((link) => link.target);

describe('compileGlob', () => {
  it.each((read('globs.yaml') as GlobCase[]).map((one) => [one.pattern, one] as const))(
    '%j',
    (pattern, one) => {
      const fits = compileGlob(pattern);
      expect(one.fits.filter((text) => !fits(text))).toEqual([]);
      expect(one.not.filter((text) => fits(text))).toEqual([]);
    },
  );

  it('is not slowed down by hostile text', () => {
    // A backtracking matcher would not come to an end with these.
    expect(compileGlob(`${'*a'.repeat(200)}b`)('a'.repeat(4_000))).toBe(false);
    expect(compileGlob(`${'**/a/'.repeat(100)}b`)('a/'.repeat(2_000))).toBe(false);
  });
});

describe('comments', () => {
  it.each((read('comments.yaml') as CommentCase[]).map((one) => [one.name, one] as const))(
    '%s',
    (_name, one) => {
      const ignores = ignoresOf(one.page);
      expect(broken(ignores.apply(analyse(one.page).links))).toEqual(one.counts);
      const said = ignores.problemsOfFile('docs/a.md').map(({ line, message }) => `${line}: ${message}`);
      expect(said).toEqual(one.problems ?? []);
    },
  );

  it('states in the verdict why the link does not count', () => {
    const page = '<!-- docloom-ignore-next-line: moved  soon -->\n[a](gone.md)';
    expect(ignoresOf(page).apply(analyse(page).links)).toMatchObject([
      { status: 'unchecked', rule: null, suggestion: null, message: 'Ignored: moved soon' },
    ]);
  });

  it('reads any bytes', () => {
    const hostile = [
      '<!-- docloom-ignore-disable: '.repeat(20_000),
      '<!-- docloom-ignore-disable: x -->'.repeat(20_000),
    ];
    for (const text of hostile) readIgnoreComments('a.md', new TextEncoder().encode(text));
    expect(readIgnoreComments('a.md', new Uint8Array([0xff, 0xfe, 0x41, 0x00])).parts).toEqual([]);
  });
});

describe('rules', () => {
  const page = '[a](gone.md) [b](api/gone.md) [c](page.md#gone)';

  it.each((read('rules.yaml') as RuleCase[]).map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const ignores = ignoresOf('', one.rules);
    expect(broken(ignores.apply(analyse(page).links))).toEqual(one.counts);
    expect(ignores.problemsOfRules('docloom.yml').map((problem) => problem.rule)).toEqual(one.problems ?? []);
  });
});

describe('rules of another severity', () => {
  const apply = (severity: 'off' | 'warning') =>
    ignoresOf('', [{ rule: 'missing-page', severity }]).apply(analyse('[a](gone.md)').links);

  it('turned off, the verdict states it', () => {
    expect(apply('off')).toMatchObject([
      {
        status: 'unchecked',
        rule: null,
        warning: null,
        message: expect.stringContaining('missing-page off'),
      },
    ]);
  });

  it('warns with the message of the verdict', () => {
    const [broken] = analyse('[a](gone.md)').links;
    expect(apply('warning')).toMatchObject([
      { status: 'unchecked', rule: null, warning: { rule: 'missing-page', message: broken?.message } },
    ]);
  });
});

describe('compareIgnoring', () => {
  const comment = '<!-- docloom-ignore-next-line: why -->\n';
  const link = '[a](gone.md)\n\n';
  it.each([
    ['an ignored link is neither old nor new', `${comment}${link}`, `${comment}${link}`, [0, 0, 0]],
    ['a link that is ignored from now on is not fixed', link, `${comment}${link}`, [0, 0, 0]],
    ['ignoring that ends with the change counts as its doing', `${comment}${link}`, link, [1, 0, 0]],
    ['a copy beside the ignored one is new', `${comment}${link}`, `${comment}${link}${link}`, [1, 0, 0]],
    ['an ignored link that is mended is no news', `${comment}${link}`, '', [0, 0, 0]],
    ['a link beside it that is mended is', `${comment}${link}${link}`, `${comment}${link}`, [0, 0, 1]],
  ] as const)('%s', (_name, before, after, counts) => {
    const { introduced, existing, fixed } = compareIgnoring(analyse(before), analyse(after), [], {
      base: ignoresOf(before),
      head: ignoresOf(after),
    });
    expect([introduced.length, existing.length, fixed.length]).toEqual(counts);
  });
});
