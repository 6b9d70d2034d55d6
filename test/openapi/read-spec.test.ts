import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  bundleSpec,
  compareSpecs,
  locateByPath,
  locateInSpec,
  type ReadSpec,
  readApi,
  readSpec,
  type SpecProblem,
  writeCanonical,
} from '../../src/openapi/index.ts';

type Files = Readonly<Record<string, string>>;

interface Row {
  readonly name: string;
  readonly files: Files;
  readonly problems?: Readonly<Record<string, string>>;
  readonly means?: string;
}

const file = new URL('../../fixtures/openapi/readings.yaml', import.meta.url);
const rows = parse(readFileSync(file, 'utf8')) as readonly Row[];

async function read(files: Files) {
  return await readSpec({
    entry: Object.keys(files)[0] ?? '',
    locate: locateByPath,
    read: async (name) => {
      const text = files[name];
      return text === undefined ? { problem: `there is no file ${name}.` } : { text };
    },
  });
}

async function take(files: Files): Promise<ReadSpec> {
  const { spec, problems } = await read(files);
  if (!spec) throw new Error(JSON.stringify(problems));
  return spec;
}

function digest(spec: ReadSpec): string {
  const hash = createHash('sha256');
  writeCanonical(bundleSpec(spec), (text) => hash.update(text));
  return hash.digest('hex');
}

function sayPlace({ code, file: name, line, column, pointer }: SpecProblem): string {
  const place = line === undefined ? name : `${name}:${line}:${column}`;
  return `${code} ${place}${pointer === undefined ? '' : ` ${pointer}`}`;
}

it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
  const { spec, problems = [] } = await read(row.files);
  const expected = Object.entries(row.problems ?? {});
  if (expected.length === 1 && expected[0]?.[0].startsWith('TOO_LARGE')) {
    expect(problems.map(({ code }) => code)).toEqual(['TOO_LARGE']);
    expect(problems[0]?.message).toContain(expected[0][1]);
    return;
  }
  expect(problems.map(sayPlace).toSorted()).toEqual(expected.map(([place]) => place).toSorted());
  for (const problem of problems) expect(problem.message).toContain(row.problems?.[sayPlace(problem)]);
  if (!spec) return;
  const document = bundleSpec(spec);
  expect(() => readApi(document)).not.toThrow();
  expect(compareSpecs(document, structuredClone(document)).total).toBe(0);
});

it.each(rows.filter((row) => row.means).map((row) => [row.name, row] as const))(
  'means the same: %s',
  async (_name, row) => {
    const other = rows.find((one) => one.name === row.means);
    expect(digest(await take(row.files))).toBe(digest(await take(other?.files ?? {})));
  },
);

it('locates a value in its files', async () => {
  const row = rows.find((one) => one.name === 'several files') as Row;
  const spec = await take(row.files);
  const { api } = readApi(bundleSpec(spec));
  const [operation] = api.operations;
  expect(operation).toMatchObject({ method: 'GET', path: '/pets' });
  const pointers = [operation?.pointer ?? '', '/components/schemas/Name', '/components/nothing/of/it'];
  expect(locateInSpec(spec, pointers)).toMatchObject([
    { file: 'api/paths/pets.yaml', line: 1, column: 1 },
    { file: 'api/openapi.yaml', line: 4 },
    { file: 'api/openapi.yaml', line: 4 },
  ]);
});

it('finds every value of a JSON text in one pass, the last of several with the same name', async () => {
  const lines = [
    '{',
    '  "openapi": "3.1.0",',
    '  "paths": { "/gone": {} },',
    '  "paths": {',
    '    "/a~b": {',
    '      "get": { "tags": ["]", "\\"}"],',
    '        "responses": {}, "x-\\u0061": [1,',
    '          [2, {"b": 3}]] } },',
    '    "/c": {} }',
    '}',
  ];
  const spec = await take({ 'openapi.yaml': lines.join('\n') });
  const places = { '/paths': 4, '/paths/~1a~0b/get': 6, '/paths/~1a~0b/get/tags/1': 6, '/paths/~1c': 9 };
  const deep = { '/paths/~1a~0b/get/x-a/1/1/b': 8, '/paths/~1a~0b/get/x-a/7': 7, '/openapi': 2, '': 1 };
  const wanted = { ...places, ...deep };
  const found = locateInSpec(spec, Object.keys(wanted));
  expect(found.map(({ line }) => line)).toEqual(Object.values(wanted));
});

it('refuses files that are too large together, and too deep ones', async () => {
  const large = await read({
    'openapi.json': `{"openapi": "3.0.0", "x": "${'y'.repeat(31 * 1024 * 1024)}"}`,
  });
  expect(large.problems?.map(({ code }) => code)).toEqual(['TOO_LARGE']);
  for (const text of ['['.repeat(1_000) + ']'.repeat(1_000), '['.repeat(100_000), '- '.repeat(5_000)]) {
    const { problems = [] } = await read({ 'openapi.yaml': text });
    expect(problems).toHaveLength(1);
    expect(['TOO_LARGE', 'INVALID_SYNTAX']).toContain(problems[0]?.code);
  }
});
