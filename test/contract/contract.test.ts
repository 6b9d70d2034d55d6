import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type AnyOperation,
  defineOperation,
  describeApi,
  errorReasons,
  errorsOutsideOperations,
  listErrors,
  listOperations,
  listRoleRule,
  operations,
  ruleOf,
} from '../../src/contract/index.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const description = describeApi(operations, { serverUrl: 'https://docs.example/v1', version: '1.0.0' });

const requiredFields = new URL('../../fixtures/platform/required-fields.yaml', import.meta.url);

describe('the table of operations', () => {
  it('names each operation and each method and path once', () => {
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
    expect(new Set(all.map((one) => `${one.method} ${one.path}`)).size).toBe(all.length);
  });

  it('rejects an operation with no or several statuses of success', () => {
    const declare = (responses: Record<number, ReturnType<typeof Type.Null>>) => () =>
      defineOperation({ id: 'x', method: 'GET', path: '/x', tag: 'X', summary: 'X.', responses });
    expect(declare({})).toThrow('exactly one');
    expect(declare({ 200: Type.Null(), 201: Type.Null() })).toThrow('exactly one');
  });

  it.each(all)(
    '$id has a summary of one sentence, and its body and query reject unknown fields',
    (operation) => {
      expect(operation.summary).toMatch(/^[A-Z].*\.$/);
      expect(operation.query.additionalProperties).toBe(false);
      if (operation.body.type === 'void') return;
      // Of alternatives each, one or a list of them.
      for (const body of operation.body.anyOf ?? [operation.body])
        expect((body.items ?? body).additionalProperties).toBe(false);
    },
  );
});

describe('errors', () => {
  const declare = (parts: object) =>
    defineOperation({
      id: 'x',
      method: 'POST',
      path: '/x',
      tag: 'X',
      summary: 'X.',
      responses: { 204: Type.Void() },
      ...parts,
    }).errors.map((reason) => errorReasons[reason].status);

  it('follow from the input of an operation', () => {
    expect(declare({ open: true })).toEqual([400, 429, 500, 503]);
    expect(declare({})).toEqual([400, 401, 401, 401, 429, 500, 503]);
    expect(declare({ open: true, path: '/x/:id' })).toEqual([400, 404, 429, 500, 503]);
    expect(declare({ open: true, body: Type.Object({}) })).toEqual([400, 400, 413, 415, 429, 500, 503]);
  });

  it('are not declared by operations whose input implies them', () => {
    for (const { id, errors } of all) expect([id, ...new Set(errors)]).toEqual([id, ...errors]);
  });

  it('are each used by some operation, or answer requests that reach none', () => {
    const used = new Set([...all.flatMap(({ errors }) => errors), ...errorsOutsideOperations]);
    expect([...used].toSorted()).toEqual(Object.keys(errorReasons).toSorted());
  });
});

describe('the texts that callers send', () => {
  const patternsWithoutRule = (schema: unknown): unknown[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const inner = Object.values(schema).flatMap(patternsWithoutRule);
    return 'pattern' in schema && typeof schema.pattern === 'string' && !ruleOf(schema)
      ? [schema.pattern, ...inner]
      : inner;
  };

  it.each(all)('of $id have their form in words where a pattern describes it', ({ query, body }) => {
    expect(patternsWithoutRule([query, body])).toEqual([]);
  });
});

describe('the description', () => {
  it('has every operation, and its schemas compile', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', ...description });
    const schemas = (description['components'] as { schemas: object }).schemas;
    for (const name of Object.keys(schemas)) {
      expect(() => ajv.compile({ $ref: `api#/components/schemas/${name}` })).not.toThrow();
    }
    const paths = description['paths'] as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(ids.toSorted()).toEqual(all.map((one) => one.id).toSorted());
  });

  it('refers only to schemas that it contains', () => {
    const text = JSON.stringify(description);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
    const held = Object.keys((description['components'] as { schemas: object }).schemas);
    expect(held).toEqual(expect.arrayContaining([...new Set(names)]));
  });
});

describe('resources', () => {
  // What clients of the published description rely on; see `required` there.
  it.each(Object.entries(parse(readFileSync(requiredFields, 'utf8')) as Record<string, string[]>))(
    '%s always has the required fields',
    (name, fields) => {
      const schemas = (description['components'] as { schemas: Record<string, { required: string[] }> })
        .schemas;
      expect(schemas[name]?.required).toEqual(expect.arrayContaining(fields));
    },
  );
});

describe('docs/', () => {
  it.each([
    { page: 'api.md', part: 'operations', expected: listOperations(operations) },
    { page: 'api.md', part: 'errors', expected: listErrors() },
    { page: 'people.md', part: 'role-rule', expected: listRoleRule() },
  ])('$page has the current $part (UPDATE_DOCS=1 rewrites it)', ({ page: name, part, expected }) => {
    const file = new URL(`../../docs/${name}`, import.meta.url);
    const page = readFileSync(file, 'utf8');
    const [begin, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`];
    const before = page.slice(0, page.indexOf(begin) + begin.length);
    const updated = `${before}\n${expected}\n\n${page.slice(page.indexOf(end))}`;
    if (process.env['UPDATE_DOCS']) writeFileSync(file, updated);
    else expect(page).toBe(updated);
  });
});
