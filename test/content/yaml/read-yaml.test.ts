import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { readFrontMatter } from '../../../src/content/parse/front-matter.ts';
import { parseYamlDocument, readYaml, valuesOf } from '../../../src/content/yaml/index.ts';

describe('values are those of the library', () => {
  test.each([
    ['an alias of a text', 'a: &a b\nc: *a\n'],
    ['aliases in what aliases stand for', 'a: &a [1, 2]\nb: &b {c: *a, d: *a}\ne: [*b, *a]\n'],
    ['an anchor that is used again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n'],
    ['an alias as a key', 'a: &a b\n*a : c\n'],
    ['empty targets', 'a: &a []\nb: [*a, *a]\n'],
    ['as many aliases of one anchor as are read', `a: &a b\nc: [${'*a, '.repeat(97)}*a]\n`],
    ['merge keys', 'a: &a {b: 1, c: 2}\nd:\n  <<: *a\n  c: 3\ne:\n  <<: [*a, {f: 4}]\n'],
  ])('for %s', (_name, text) => {
    for (const merge of [false, true]) {
      const usual = parseDocument(text, { merge }).toJS({ maxAliasCount: 100 });
      expect(valuesOf(parseYamlDocument(text, { merge }))).toEqual(usual);
    }
  });

  test.each([
    ['an anchor that is nowhere', 'a: *b\n'],
    ['one that comes later', 'a: *b\nb: &b 1\n'],
    ['more aliases of one anchor than are read', `a: &a b\nc: [${'*a, '.repeat(101)}*a]\n`],
  ])('and refused as there: %s', (_name, text) => {
    const usual = () => parseDocument(text).toJS({ maxAliasCount: 100 });
    expect(usual).toThrow(ReferenceError);
    expect(() => valuesOf(parseYamlDocument(text))).toThrow(ReferenceError);
  });
});

// The library looks through the whole document, or through all of a list, for each of these: that takes many minutes.
describe('aliases that would take long are refused, or read', () => {
  const many = (text: string, count: number) => text.repeat(count);

  test('a list of aliases of nothing, of which there are many aliases, in 5 KB of front matter', () => {
    const yaml = `e: &e []\na: &a [${many('*e, ', 600)}*e]\nz: [${many('*a, ', 600)}*a]`;
    expect(readFrontMatter(yaml, 2)).toMatchObject({
      values: {},
      problem: { message: expect.stringContaining('Excessive alias count') },
    });
  });

  test('anchors that are used once each', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => `&a${at} b, *a${at}, `).join('');
    const { values, isRead } = readYaml(`y: [${items}c]`, 'plain');
    expect(isRead).toBe(true);
    expect(values).toMatchObject({ y: { length: 40_001 } });
  });

  test('a mapping of many keys that is merged into many others', () => {
    const keys = Array.from({ length: 10_000 }, (_, at) => `k${at}: 1, `).join('');
    const text = `x: &a {${keys}}\ny: [${many('{<<: *a}, ', 90)}c]`;
    expect(readYaml(text, 'mkdocs')).toMatchObject({ isRead: false, values: undefined });
  });
});

describe('reading YAML', () => {
  test('says the first error, and has the values of the rest', () => {
    expect(readYaml('a: 1\nb: "c\n', 'plain')).toMatchObject({ values: { a: 1 }, isRead: true });
    expect(readYaml('a: 1\nb: "c\n', 'plain').error).toContain('closing');
  });

  test('takes the defaults of environment variables and merge keys for MkDocs alone', () => {
    const text = 'a: !ENV [A, b]\nc: !ENV C\nd: &d {e: 1}\nf: {<<: *d}\n';
    expect(readYaml(text, 'mkdocs').values).toMatchObject({ a: 'b', c: null, f: { e: 1 } });
    expect(readYaml(text, 'plain').values).toMatchObject({ a: ['A', 'b'], f: { '<<': { e: 1 } } });
  });

  test('does not throw for what is nested too deeply', () => {
    expect(() => readYaml(`a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'mkdocs')).not.toThrow();
  });
});
