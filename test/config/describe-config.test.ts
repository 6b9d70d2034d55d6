/** What is derived from the configuration's schema says the same as the reading of the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema, describeKeys, parseConfig } from '../../src/config/index.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const schemaFile = at('docs/docloom.schema.json');
const cases: readonly {
  readonly name: string;
  readonly text: string;
  readonly problems?: readonly string[];
}[] = parse(readFileSync(at('fixtures/content/config.yaml'), 'utf8'));

it('publishes the schema in docs/ (UPDATE_DOCS=1 writes it anew, `npm run format` in shape)', () => {
  const { $id: _address, ...schema } = configJsonSchema('');
  if (process.env['UPDATE_DOCS']) writeFileSync(schemaFile, JSON.stringify(schema));
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(schema);
});

it('lists the keys in docs/repositories.md (UPDATE_DOCS=1 writes them anew)', () => {
  const file = at('docs/repositories.md');
  const rows = describeKeys().map(
    ({ path, meaning, fallback }) => `| \`${path}\` | ${meaning} | ${fallback} |`,
  );
  const table = ['| key | meaning | when left out |', '|---|---|---|', ...rows].join('\n');
  const text = readFileSync(file, 'utf8');
  const written = text.replace(
    /(<!-- keys -->\n)[\s\S]*(\n<!-- \/keys -->)/,
    (_all, begin, end) => begin + table + end,
  );
  if (process.env['UPDATE_DOCS']) writeFileSync(file, written);
  expect(readFileSync(file, 'utf8')).toBe(written);
  expect(written).toContain(table);
});

const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
  configJsonSchema('https://docs.example/schemas/docloom.json'),
);

it.each(cases.map((one) => [one.name, one] as const))('as editors see it: %s', (name, one) => {
  const isRight = 'config' in parseConfig(one.text);
  if (!isRight) return;
  // YAML's number is meant as text there, which a schema cannot say.
  expect(validate(parse(one.text)), JSON.stringify(validate.errors)).toBe(name !== 'a number as a title');
});

it.each([
  ['a key that is none', 'spaces: [{directory: a, title: A, colour: red}]'],
  ['a key that is missing', 'spaces: [{title: A}]'],
  ['a value of another type', 'exports: {sign-off: "yes"}'],
  ['a word that is none', 'checks: {rules: {missing-page: loud}}'],
  ['an entry that says nothing', 'checks: {ignore: [{reason: why}]}'],
  ['two sources', 'openapi: [{name: a, file: a.yaml, url: "https://example.com/a.yaml"}]'],
])('as editors see it, wrong: %s', (_name, text) => {
  expect(validate(parse(text))).toBe(false);
  expect(parseConfig(text)).toHaveProperty('problems');
});
