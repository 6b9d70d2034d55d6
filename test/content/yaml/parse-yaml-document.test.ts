import { describe, expect, test } from 'vitest';
import { type Alias, type Document, parseDocument, visit } from 'yaml';
import { parseConfig } from '../../../src/config/index.ts';
import { parseGlossary } from '../../../src/content/glossary/index.ts';
import { parseYamlDocument, resolveAliases } from '../../../src/content/yaml/index.ts';

const errorsOf = ({ errors }: Document.Parsed) =>
  errors.map(({ code, message, pos: [start] }) => ({ code, message, start }));

describe('a document has the errors of the library', () => {
  test.each([
    ['no repeated keys', 'a: 1\nb: {a: 1}\n'],
    ['a repeated key', 'a: 1\nb: 2\na: 3\n'],
    ['one that is quoted', 'a: 1\n"a": 2\n'],
    ['one in a flow mapping in a list', '- {a: 1, b: 2, a: 3}\n'],
    ['one in a key', '? {a: 1, a: 2}\n: b\n'],
    ['several', 'a: {b: 1, b: 2}\na: 3\nc: 1\na: 4\n'],
    ['keys that are numbers and their texts', '1: a\n"1": b\n1: c\n'],
    ['keys that are lists', '? [a]\n: 1\n? [a]\n: 2\n'],
    ['keys of JavaScript objects', '__proto__: 1\nconstructor: 2\n__proto__: 3\n'],
    ['a repeated key before another error', 'a: 1\na: 2\nb: "c\n'],
    ['merge keys', 'a: &a {b: 1}\nc:\n  <<: *a\n  <<: *a\n'],
  ])('with %s', (_name, text) => {
    for (const merge of [false, true]) {
      const usual = parseDocument(text, { merge, prettyErrors: false, logLevel: 'silent' });
      expect(errorsOf(parseYamlDocument(text, { merge }))).toEqual(errorsOf(usual));
    }
  });
});

// With steps that compare each key with all others, each of these takes many seconds.
describe('a large mapping is read', () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: v`).join('\n');

  test('of keys, of which one is repeated', () => {
    expect(parseYamlDocument(keys).errors).toEqual([]);
    expect(errorsOf(parseYamlDocument(`${keys}\nk0: v\n`))).toMatchObject([{ start: keys.length + 1 }]);
  });

  test('of terms of a glossary', () => {
    expect(parseGlossary(keys, 'glossary.yaml')).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ line: 1001 })]),
    });
  });
});

test('errors cost no trace of the library each, and the traces of others stay as they are', () => {
  const { stackTraceLimit } = Error;
  const { errors } = parseYamlDocument('{}'.repeat(1_000));
  expect(errors.length).toBeGreaterThan(900);
  expect(errors.every(({ stack }) => !stack?.includes('\n    at '))).toBe(true);
  expect(() => parseYamlDocument('['.repeat(100_000))).not.toThrow(TypeError);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test('aliases stand for what the library resolves them to', () => {
  const text = 'a: &x [1, &y 2]\nb: *x\nc: &x {d: *y}\ne: [*x, *z]\nf: &z 1\n';
  const document = parseYamlDocument(text);
  const targetOf = resolveAliases(document);
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  expect(aliases).toHaveLength(4);
  for (const alias of aliases) expect(targetOf(alias)).toBe(alias.resolve(document));
});

test('a configuration whose values are aliases is read', () => {
  const parsed = parseConfig('spaces:\n  - directory: &name docs\n    title: *name\n');
  expect(parsed).toMatchObject({ config: { spaces: [{ directory: 'docs', title: 'docs' }] } });
});
