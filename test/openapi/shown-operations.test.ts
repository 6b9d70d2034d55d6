import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type OperationView, renderPage } from '../../src/content/render/index.ts';
import { describeOperation, describeWebhook, readApi } from '../../src/openapi/index.ts';

interface Row {
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly contains?: readonly string[];
  readonly excludes?: readonly string[];
}

const rows = parse(readFileSync('fixtures/openapi/shown.yaml', 'utf8')) as readonly Row[];

/** The first operation or webhook of a document. */
function viewOf(document: Row['document']): OperationView {
  const { api, resolve } = readApi(document);
  const [operation] = api.operations;
  const [webhook] = api.webhooks;
  if (operation !== undefined) return describeOperation(operation, api, resolve);
  if (webhook === undefined) throw new Error('The document has an operation.');
  return describeWebhook(webhook, api, resolve);
}

async function show(view: OperationView, options: { readonly canTry?: boolean } = {}): Promise<string> {
  return await renderPage('{% openapi-operation spec="pets" path="/" method="get" %}', {
    ...options,
    dialect: 'gitbook',
    isForSite: true,
    operationOf: () => view,
  });
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x([0-9A-F]+);/g, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,:;])/g, '');
}

/** A limit below which no page that people read comes near. */
const MAX_HTML = 600_000;

describe('an operation on a site', () => {
  test.each(rows)('$name', async ({ document, contains = [], excludes = [] }) => {
    const html = await show(viewOf(document));
    for (const part of contains) expect(textOf(html)).toContain(part.replace(/\s+/g, ' '));
    for (const part of excludes) expect(html).not.toContain(part);
    expect(await show(viewOf(document), { canTry: true })).not.toContain('<script');
  });

  test('of an older release has what it had', async () => {
    const { serverChoices, access, callbacks, ...older } = viewOf(rows[3]?.document ?? {});
    expect([serverChoices, access, callbacks].every((field) => field !== undefined)).toBe(true);
    const text = textOf(await show({ ...older, servers: ['https://api.example'] }));
    expect(text).toContain('key API key in the header X-Key');
    expect(text).toContain('login OAuth 2.0: token in the header Authorization: Bearer');
    expect(text).toContain("'https://api.example/pets?app=YOUR_API_KEY'");
  });

  test.each<[string, Row['document']]>([
    ['10,000 properties', withSchema({ type: 'object', properties: numbered(10_000, { type: 'string' }) })],
    [
      '10,000 forms',
      withSchema({ oneOf: Array.from({ length: 10_000 }, () => ({ properties: { a: {} } })) }),
    ],
    [
      'an enumeration of 100,000 values',
      withSchema({ properties: { a: { enum: [...Array(100_000).keys()] } } }),
    ],
    ['100 levels', withSchema(nested(100))],
    [
      'objects that are wide and deep',
      withSchema(
        { $ref: '#/components/schemas/A' },
        { A: { properties: numbered(100, { $ref: '#/components/schemas/A' }) } },
      ),
    ],
    [
      'forms that contain each other',
      withSchema(
        { $ref: '#/components/schemas/A' },
        {
          A: {
            oneOf: [
              { $ref: '#/components/schemas/B' },
              { properties: { b: { $ref: '#/components/schemas/B' } } },
            ],
          },
          B: {
            anyOf: [
              { $ref: '#/components/schemas/A' },
              { properties: { a: { $ref: '#/components/schemas/A' } } },
            ],
          },
        },
      ),
    ],
    ['a large example', withSchema({ example: 'x'.repeat(5_000_000), default: 'y'.repeat(5_000_000) })],
    [
      '100 servers with 100 variables',
      {
        openapi: '3.0.0',
        servers: Array.from({ length: 100 }, (_, at) => ({
          url: `https://{a0}.example/${at}`,
          variables: numbered(100, { default: '{a0}'.repeat(100), enum: Array(100).fill('z'.repeat(1_000)) }),
        })),
        paths: { '/': { get: { responses: {} } } },
      },
    ],
  ])('with %s stays small', async (_name, document) => {
    const view = viewOf(document);
    expect(JSON.stringify(view).length).toBeLessThan(MAX_HTML);
    expect((await show(view, { canTry: true })).length).toBeLessThan(MAX_HTML);
  });
});

function withSchema(schema: unknown, schemas: object = {}): Row['document'] {
  const content = { 'application/json': { schema } };
  const operation = { requestBody: { content }, responses: { '200': { description: '', content } } };
  return { openapi: '3.1.0', paths: { '/': { post: operation } }, components: { schemas } };
}

function numbered<Value>(count: number, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, value]));
}

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'string' } : { properties: { a: nested(levels - 1), b: { type: 'string' } } };
}
