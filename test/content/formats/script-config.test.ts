import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafeToParse } from '../../../src/content/formats/script-config/guard-script.ts';
import {
  readConfigWithPositions,
  readScriptConfig,
} from '../../../src/content/formats/script-config/read-script-config.ts';
import { findScriptLiterals } from '../../../src/content/formats/script-config/script-literals.ts';
import {
  isList,
  isScriptObject,
  ScriptFunction,
  ScriptPattern,
  type ScriptValue,
  UNKNOWN,
} from '../../../src/content/formats/script-config/script-value.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const unknown = '(unknown)';

/** A value as plain JSON, with a word for unknown values and an extra key in objects that may have more keys. */
function plain(value: ScriptValue): unknown {
  if (value === UNKNOWN || value instanceof ScriptFunction) return unknown;
  if (value instanceof ScriptPattern) return `/${value.source}/${value.flags}`;
  if (isList(value)) return value.map(plain);
  if (!isScriptObject(value)) return value;
  const entries = [...value.entries].map(([key, item]) => [key, plain(item)]);
  return { ...Object.fromEntries(entries), ...(value.isOpen ? { '...': unknown } : {}) };
}

const modules: Readonly<Record<string, string>> = {
  'values.ts':
    "export const base = '/docs/'; export const nav = [{ text: 'a', link: '/a' }]\nexport default { base }",
  'again.ts':
    "export { default } from './values'; export * from './values.js'; export { base as root } from './values'",
  'imported.ts': "import values from './values.ts'\nexport default values",
  'common.cjs': "module.exports = { base: '/docs/' }",
  'properties.cjs': "exports.base = '/docs/'; module.exports.title = 'x'",
  'late.cjs': "module.exports = { base: '/' }; if (x) module.exports = { base: '/docs/' }",
  'sidebar.json': '{ "a": ["b"] } // comment',
  'written.ts': "export let base = '/'; export function set() { base = '/docs/' }",
  'one.ts': "export { two as one } from './two'",
  'two.ts': "export { one as two } from './one'",
};

function read(text: string): unknown {
  return plain(
    readScriptConfig(text, 'config.ts', {
      readImport(_from, specifier) {
        const stem = specifier.replace(/^\.\//, '');
        const path = [stem, `${stem}.ts`, stem.replace(/\.js$/, '.ts')].find(
          (name) => modules[name] !== undefined,
        );
        return path === undefined ? null : { path, text: modules[path] ?? '' };
      },
    }),
  );
}

/** The expression of `export default` → what is known of it. */
const expressions: Readonly<Record<string, unknown>> = {
  "'a'": 'a',
  "'a\\n\\u00e9\\x41\\u{1f600}\\\\'": 'a\né' + 'A😀\\',
  '`a\nb`': 'a\nb',
  "`/${'docs'}/${1}`": '/docs/1',
  '`/${process.env.BASE}/`': unknown,
  'String.raw`a`': unknown,
  "'/' + 'docs' + 1": '/docs1',
  "'/' + base": unknown,
  '-1': -1,
  '!true': false,
  'void 0': undefined,
  '1n': unknown,
  '/^a\\/b/i': '/^a\\/b/i',
  '[1, , ...[2, 3]]': [1, undefined, 2, 3],
  '[1, ...more(), 2]': [1, unknown, 2],
  "{ a: 1, 'b': 2, 3: 4, ['c' + 1]: 5 }": { a: 1, b: 2, 3: 4, c1: 5 },
  '{ a: 1, [key]: 2, b: 3 }': { a: unknown, '...': unknown, b: 3 },
  '{ a: 1, ...{ b: 2 }, b: 3 }': { a: 1, b: 3 },
  '{ a: 1, ...more(), b: 3 }': { a: unknown, b: 3, '...': unknown },
  '{ a: 1, b: 2, ...(process.env.CI ? { a: 2 } : {}) }': { a: unknown, b: 2 },
  '{ a: 1, ...(process.env.CI && { b: 2 }) }': { a: 1, b: unknown },
  '{ a: 1, ...(true && { b: 2 }), ...null }': { a: 1, b: 2 },
  '{ a: 1, ...(process.env.CI || { b: 2 }) }': { a: unknown, '...': unknown },
  '{ a: 1, __proto__: other }': { a: unknown, '...': unknown },
  "{ get a() { return 'x' }, b() { return 1 }, set c(value) {} }": { a: 'x', b: unknown, c: undefined },
  '{ get a() { return x() } }': { a: unknown },
  "{ a: 'x' } as const": { a: 'x' },
  "{ a: 'x' } satisfies Config<Theme['a']>": { a: 'x' },
  "({ a: ('x')! } as unknown as Config)": { a: 'x' },
  "<Config>{ a: 'x' }": { a: 'x' },
  "({ a: { b: 'x' } }).a.b": 'x',
  "({ a: { b: 'x' } })?.a?.['b']": 'x',
  "['x', 'y'][1]": 'y',
  "[...more(), 'y'][0]": unknown,
  '({}).toString': unknown,
  "true ? 'a' : 'b'": 'a',
  "process.env.CI ? 'a' : 'b'": unknown,
  "null ?? 'b'": 'b',
  "'' || 'b'": 'b',
  "'a' === 'a' && 'b'": 'b',
  "process.env.BASE ?? '/'": unknown,
  "defineConfig({ a: 'x' })": { a: 'x' },
  "withMermaid(defineConfig<Theme>({ a: 'x' }))": { a: 'x' },
  "Object.freeze({ a: 'x' })": { a: 'x' },
  "require.resolve('./a.css')": './a.css',
  "mergeConfig({ a: 'x' }, { a: 'y' })": unknown,
  "load({ a: 'x' })": unknown,
  'await load()': unknown,
  "new Config({ a: 'x' })": unknown,
  'import.meta.url': unknown,
  "() => ({ a: 'x' })": { a: 'x' },
  "async function config() { return { a: 'x', b: await load() } }": { a: 'x', b: unknown },
  "({ mode }) => ({ a: 'x' })": unknown,
  "function () { const a = 'x'; return { a } }": unknown,
};

/** The text of a configuration → what is known of what it exports. */
const scripts: Readonly<Record<string, unknown>> = {
  "const base = '/docs/'\nexport default { base }": { base: '/docs/' },
  "let base = '/'; if (process.env.CI) base = '/docs/'\nexport default { base }": { base: unknown },
  "let base = '/'\nexport default { base }": { base: '/' },
  'let n = 1; n++\nexport default { n }': { n: unknown },
  "var base = '/'; if (x) { var base = '/docs/' }\nexport default { base }": { base: unknown },
  "let base = '/';[base] = load()\nexport default { base }": { base: unknown },
  "let base = '/'; for (base of all) {}\nexport default { base }": { base: unknown },
  "let base = '/'; function set() { base = '/docs/' }\nexport default { base }": { base: unknown },
  "const base = '/'; function f(base) { base = '/docs/' }\nexport default { base }": { base: '/' },
  "const base = '/'; { let base = 'x'; base = 'y' }\nexport default { base }": { base: '/' },
  "const base = '/'; const base = '/docs/'\nexport default { base }": { base: unknown },
  "const nav = ['a']; nav.push('b')\nexport default { nav }": { nav: unknown },
  "const nav = ['a']; export default { nav: nav.map(link) }": { nav: unknown },
  "const nav = ['a']; const x = nav.map(link); export default { nav }": { nav: ['a'] },
  "const nav = ['a']; nav[0] = 'b'\nexport default { nav }": { nav: unknown },
  'const a = { b: 1 }; Object.assign(a, load())\nexport default { a }': { a: unknown },
  'const a = { b: 1 }; delete a.b\nexport default { a }': { a: unknown },
  'const a = { b: 1 }; (a as any).b = 2\nexport default { a }': { a: unknown },
  'const a = { b: { c: 1 } }; const b = a.b; b.c = 2\nexport default { a }': { a: unknown },
  'const a = { b: 1 }; addTo(a)\nexport default { a }': { a: unknown },
  'const a = { b: 1 }; console.log(a)\nexport default { a }': { a: { b: 1 } },
  'const a = [{ b: 1 }]; for (const one of a) one.b = 2\nexport default { a }': { a: unknown },
  'const a = [{ b: 1 }]; a.forEach((one) => { one.b = 2 })\nexport default { a }': { a: unknown },
  "const config = { base: '/' }\nconfig.base = '/docs/'\nexport default config": unknown,
  "const { base, nav: [first] } = { base: '/', nav: [] }\nexport default { base, first }": {
    base: '/',
    first: unknown,
  },
  "const side = () => ['a']\nexport default { sidebar: side() }": { sidebar: ['a'] },
  "export default { sidebar: side() }\nfunction side(): string[] {\n  return ['a']\n}": { sidebar: ['a'] },
  "const side = async () => ['a']\nexport default { sidebar: side() }": { sidebar: unknown },
  "const link = (text, to) => ({ text, link: to })\nexport default { nav: [link('A', '/a'), link('B')] }": {
    nav: [{ text: 'A', link: '/a' }, { text: 'B' }],
  },
  "const names = { a: 'A' }\nexport default [group('a', { items: [group('b', { items: ['x'] })] })]\nfunction group(key: string, group: object) {\n  return { label: names[key], more: load(), ...group }\n}":
    [{ label: 'A', more: unknown, items: [{ more: unknown, items: ['x'] }] }],
  "const base = '/'; const other = base; const f = (base) => base + other\nexport default [f('x'), base]": [
    'x/',
    '/',
  ],
  "const f = (x) => () => x\nexport default [f('a')()]": [unknown],
  "const f = (x) => [1].map(() => x)\nexport default [f('a')]": [unknown],
  "const f = (x) => (x = 'b')\nexport default [f('a')]": [unknown],
  "const f = (x) => { x = 'b'; return x }\nexport default [f('a')]": [unknown],
  "const f = ({ x }) => x\nexport default [f({ x: 'a' })]": [unknown],
  "const f = (x) => f(x)\nexport default [f('a')]": [unknown],
  "const f = (x) => [g(x), 'a']; const g = (x) => [f(x), 'b']\nexport default f('a')": [[unknown, 'b'], 'a'],
  'const defineConfig = (one) => load(one)\nexport default defineConfig({ a: 1 })': unknown,
  "const { withDocs } = require('docs')\nmodule.exports = withDocs({ a: 1 })": { a: 1 },
  'const a = b; const b = a\nexport default { a, b }': { a: unknown, b: unknown },
  "module.exports = { a: 'x' }": { a: 'x' },
  "module.exports = { a: 'x' }; module.exports.a = 'y'": unknown,
  "export = { a: 'x' }": { a: 'x' },
  "const a = 'x'; export { a as default }": 'x',
  "import { base } from './values'\nexport default { base }": { base: '/docs/' },
  "import * as all from './values'\nexport default all": {
    base: '/docs/',
    nav: [{ text: 'a', link: '/a' }],
    default: { base: '/docs/' },
  },
  "import values, { base, root } from './again'\nexport default { ...values, base, root }": {
    base: '/docs/',
    root: '/docs/',
  },
  "import values from './imported.js'\nexport default values": { base: '/docs/' },
  "import values from './common.cjs'\nexport default values": { base: '/docs/' },
  "const { base, title } = require('./properties.cjs')\nmodule.exports = { base, title }": {
    base: '/docs/',
    title: 'x',
  },
  "import values from './late.cjs'\nexport default { values }": { values: unknown },
  "import sidebar from './sidebar.json'\nexport default { sidebar }": { sidebar: { a: ['b'] } },
  "import { base } from './written'\nexport default { base }": { base: unknown },
  "import { one } from './one'\nexport default { one }": { one: unknown },
  "import { nav } from './values'\nnav.push({})\nexport default { nav }": { nav: unknown },
  "import { base } from 'package'\nexport default { base }": { base: unknown },
  "import { base } from './none'\nexport default { base }": { base: unknown },
  "import type { base } from './values'\nexport default { base }": { base: unknown },
  '{ "a": [1, "x"], "b": null, }': { a: [1, 'x'], b: null },
  "// export default { a: 'x' }\nconst a = 1": unknown,
  'export default {': unknown,
  '': unknown,
};

describe('constants of configuration scripts', () => {
  it.each(Object.entries(expressions))('%s', (text, expected) => {
    expect(read(`export default ${text}`)).toEqual(expected);
  });

  it.each(Object.entries(scripts))('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('reads back what JSON writes, as JSON and as a script', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const expected: unknown = JSON.parse(text);
        if (!text.includes('"__proto__"')) expect(read(`export default ${text}`)).toEqual(expected);
        if (typeof expected === 'object' && expected !== null) expect(read(text)).toEqual(expected);
      }),
      propertyRuns(300),
    );
  });

  it('reports the positions of texts, in UTF-16 code units', () => {
    for (const before of ["const name = '😀é漢'; ", '/* 😀é */\n', '']) {
      const text = `${before}export default { "é": '😀', list: ['/a', \`/b\`, ('/c' as const), '/' + 'd'] }`;
      const { value, positions } = readConfigWithPositions(text);
      if (!isScriptObject(value)) throw new Error('no object');
      const list = value.entries.get('list');
      if (!isList(list)) throw new Error('no list');
      const said = [positions.of(value, 'é'), ...list.map((_, at) => positions.of(list, at))].map((span) =>
        span === null ? null : text.slice(span.start, span.end),
      );
      expect(said).toEqual(['😀', '/a', '/b', '/c', null]);
      const { literals } = findScriptLiterals(text);
      expect(literals.every(({ value: own, start, end }) => text.slice(start, end) === own)).toBe(true);
    }
  });

  it('reports the positions of texts in JSON', () => {
    const text = '// 😀\n{ "a": ["é", "b"] }';
    const json = text.slice(6);
    const { value, positions } = readConfigWithPositions(json);
    const list = isScriptObject(value) ? value.entries.get('a') : null;
    const span = isList(list ?? null) && isList(list) ? positions.of(list, 1) : null;
    expect(json.slice(span?.start, span?.end)).toBe('b');
  });
});

describe('hostile configurations', () => {
  const many = (text: string, count = 100_000) => text.repeat(count);
  const deep: Readonly<Record<string, string>> = {
    lists: `export default ${many('[')}`,
    'closed lists': `export default ${many('[')}${many(']')}`,
    objects: `export default ${many('{a:')}`,
    blocks: many('{'),
    parentheses: `x = ${many('(')}`,
    templates: `x = ${many('`${')}`,
    functions: many('function f(){'),
    negations: `x = ${many('!')}1`,
    'words in front': `x = ${many('typeof ')}1`,
    'words with odd spaces': `x = ${many('typeof\u00a0')}1`,
    conditions: `x = ${many('a?b:')}1`,
    arrows: `x = ${many('a=>')}1`,
    assignments: `${many('x=')}1`,
    sums: `x = ${many('1+')}1`,
    members: `x${many('.a')}`,
    calls: `x${many('()')}`,
    'calls with arguments': `x${many('(1)')}`,
    'else behind else': many('if(a)x;else '),
    'else behind const on its line': many('if(a)\nvar x\nelse '),
    'statements within statements': many('if(a)\n'),
    'type arguments': `let x: ${many('A<B,')}`,
    'one type argument': `let x: ${many('A<')}`,
    'types in lines': `x = 1 ${many('as\nconst\n')}`,
    labels: many('a:\n'),
    'behind a regular expression': `x = /"/; y = ${many('[')} // "`,
    'behind a division': `x = a / "/" / ${many('[')}`,
    'behind a bracket and a slash': `x = (a) /"/${many('[')}//"`,
    'in a template in a template': `x = \`\${\`\${${many('[')}}\`}\``,
    'behind a string with a line break': `x = "a\\\n"; y = ${many('[')}`,
    'comments of HTML': `<!-- "\n${many('[')} // "`,
    errors: many('export const a;'),
    'lists of more than fits into a tenth of a second': `export default [${many('1,\n', 40_000)}]`,
  };

  it.each(Object.entries(deep))('%s are not parsed', (_name, text) => {
    expect(isSafeToParse(text.slice(0, 1024 * 1024))).toBe(false);
    expect(read(text.slice(0, 1024 * 1024))).toBe(unknown);
  });

  const wide: Readonly<Record<string, string>> = {
    'a long list': `export default { a: 1, list: [${many("{ text: 'a (b', link: '/a' },\n", 5_000)}] }`,
    'many constants': `${Array.from({ length: 5_000 }, (_, at) => `const a${at} = [{ b: ${at} }]\n`).join('')}export default { a: 1 }`,
    'calls that double': `${Array.from({ length: 60 }, (_, at) => `const f${at + 1} = (x) => [f${at}(x), f${at}(x)]\n`).join('')}const f0 = (x) => x\nexport default { a: 1, b: f60(1) }`,
    'many functions': `${many('function f() {\n  return [1]\n}\n', 5_000)}export default { a: 1 }`,
    'many comments': `${many("// it's [ ( {\n/* it's ( */\n", 10_000)}export default { a: 1 }`,
    'regular expressions': `export default { a: 1, list: [${many('/["\'(/[]`]/g, x / 2,\n', 8_000)}] }`,
    types: `${many('interface A { b: Array<C<D>>; c?: (d: string) => void }\n', 2_000)}export default { a: 1 }`,
  };

  it.each(Object.entries(wide))('%s are read', (_name, text) => {
    expect(read(text)).toMatchObject({ a: 1 });
  });

  it('stops when constants multiply each other', () => {
    const lists = Array.from({ length: 40 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}]\n`).join(
      '',
    );
    const texts = Array.from({ length: 40 }, (_, at) => `const b${at + 1} = b${at} + b${at}\n`).join('');
    const text = `const a0 = [1, 2]; const b0 = 'ab'\n${lists}${texts}export default { b: b40, c: 1 }`;
    expect(read(text)).toEqual({ b: unknown, c: 1 });
    expect(JSON.stringify(read(`${text.replace('b: b40', 'a: a40')}`)).length).toBeLessThan(2_000_000);
  });

  it('stops when constants refer to each other endlessly', () => {
    const text = `${Array.from({ length: 5_000 }, (_, at) => `const a${at} = a${at + 1}\n`).join('')}export default { a: a0, b: 1 }`;
    expect(read(text)).toEqual({ a: unknown, b: 1 });
  });
});
