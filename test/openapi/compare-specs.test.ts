import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { compareSpecs, explainBreakingChange } from '../../src/openapi/index.ts';

type Fragment = Readonly<Record<string, unknown>>;

interface Row {
  readonly name: string;
  readonly at: keyof typeof documents;
  readonly old: Fragment;
  readonly new: Fragment;
  readonly says: readonly string[];
}

const file = new URL('../../fixtures/openapi/changes.yaml', import.meta.url);
const rows = parse(readFileSync(file, 'utf8')) as readonly Row[];

const json = (schema: Fragment) => ({ content: { 'application/json': { schema } } });
const only = (operation: Fragment) => ({ paths: { '/things': { post: operation } } });

/** The document around a fragment. */
const documents = {
  request: (schema: Fragment) => only({ requestBody: json(schema) }),
  response: (schema: Fragment) => only({ responses: { 200: json(schema) } }),
  query: (schema: Fragment) => only({ parameters: [{ name: 'q', in: 'query', schema }] }),
  operation: only,
  paths: (paths: Fragment) => ({ paths }),
  document: (fields: Fragment) => fields,
} satisfies Record<string, (fragment: Fragment) => Fragment>;

function documentOf({ at }: Row, fragment: Fragment): Fragment {
  const version = 'swagger' in fragment ? {} : { openapi: '3.1.0' };
  return { ...version, ...documents[at](structuredClone(fragment)) };
}

it.each(rows.map((row) => [`${row.at}: ${row.name}`, row] as const))('%s', (_name, row) => {
  const [old, next] = [documentOf(row, row.old), documentOf(row, row.new)];
  const { changes, total, breaking } = compareSpecs(old, next);
  const said = changes.map((change) => `${change.kind}${change.breaking ? '!' : ''}`);
  expect(said.toSorted()).toEqual(row.says.toSorted());
  expect([total, breaking]).toEqual([said.length, said.filter((one) => one.endsWith('!')).length]);
  for (const { message, was, is, kind, breaking } of changes) {
    expect(message).toMatch(/^[A-Zw].*\.$/);
    expect([was ?? is, breaking ? explainBreakingChange(kind) : '']).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    expect(was).not.toBe(is);
  }
});

it('has enough rows, each once', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map((row) => `${row.at} ${row.name}`)).size).toBe(rows.length);
});

it('finds nothing between a document and itself', () => {
  for (const row of rows) {
    const document = documentOf(row, row.new);
    expect(compareSpecs(document, structuredClone(document)).changes).toEqual([]);
  }
});
