import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findOperations, renderPage } from '../../src/content/render/index.ts';
import { describeOperation, readApi } from '../../src/openapi/index.ts';

const document = parse(`
openapi: 3.0.0
servers: [{url: 'https://api.example'}]
security: [{key: []}]
paths:
  /pets/{id}:
    put:
      summary: Change a <b>pet</b>
      deprecated: true
      description: "# Loud\\n\\n<p>In <i>HTML</i></p>\\n\\n**Four** <script>alert(1)</script> [legs](javascript:alert(1)) <img src=x onerror=alert(1)>"
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, pattern: '^<i>'}}
        - {name: "<u>q</u>", in: query, description: "a | b *c* <script>", schema: {type: array, items: {enum: [a, b], type: string}}}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses:
        '200': {description: "The pet.\\n\\nAs it is.", headers: {ETag: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Pet:
      required: [name]
      properties:
        id: {type: integer, format: int64, readOnly: true}
        name: {type: string, nullable: true, maxLength: 10, default: Rex}
        parent: {$ref: '#/components/schemas/Pet'}
        tags: {type: object, additionalProperties: {type: string}}
        kind: {oneOf: [{$ref: '#/components/schemas/Cat'}, {type: integer}]}
    Cat: {type: object, properties: {lives: {type: integer, minimum: 1, maximum: 9}}}
`);
const { api, resolve } = readApi(document);
const [operation] = api.operations;
if (!operation) throw new Error('The document has an operation.');
const view = describeOperation(operation, api, resolve);

it('describes the parameters and responses of an operation', () => {
  expect(view).toMatchObject({
    method: 'PUT',
    path: '/pets/{id}',
    isDeprecated: true,
    security: ['key (apiKey header X-Key)'],
    servers: ['https://api.example'],
    body: { isRequired: true, contents: [{ mediaType: 'application/json', type: 'Pet', isCut: false }] },
  });
  const sent = view.body?.contents[0]?.fields.map(({ name, type, depth }) => `${depth} ${name}: ${type}`);
  // What may only be read is not sent, and a pet in a pet is not written out again.
  expect(sent).toEqual([
    '0 name: string or null',
    '0 parent: Pet',
    '0 tags: map of string',
    '0 kind: Cat or integer',
    '1 Cat: Cat',
    '2 lives: integer',
    '1 integer: integer',
  ]);
  expect(view.body?.contents[0]?.fields[1]?.notes).toEqual(['with the same properties again']);
  const got = view.responses[0]?.contents[0]?.fields;
  expect(got?.[0]).toMatchObject({ name: 'id', type: 'integer (int64)', isRequired: false });
  expect(got?.[1]).toMatchObject({
    name: 'name',
    isRequired: true,
    notes: ['default Rex', 'at most 10 characters'],
  });
});

const block =
  '{% openapi-operation spec="pets" path="/pets/{id}" method="put" %}\nold\n{% endopenapi-operation %}';

it('shows it instead of the content of the block, without scripts', async () => {
  const html = await renderPage(`# Page\n\n${block}\n\nAfter\n`, {
    dialect: 'gitbook',
    operationOf: ({ spec, method, path }) =>
      `${spec} ${method} ${path}` === 'pets PUT /pets/{id}' ? view : null,
  });
  expect(html).toContain('<code>PUT</code> <code>/pets/{id}</code>');
  expect(html).toContain('array of string');
  expect(html).toContain('Change a &#x3C;b>pet&#x3C;/b>');
  expect(html).toContain('<p>In <i>HTML</i></p>');
  expect(html).toContain('<strong>Four</strong>');
  expect(html).toContain('<p>After</p>');
  expect(html).not.toContain('old');
  expect(html).not.toMatch(/<script|onerror|javascript:|<u>|<b>|<h[23]/);
});

it('leaves a block that names nothing known as it is', async () => {
  const hidden = await renderPage(block, { dialect: 'gitbook', operationOf: () => 'private' });
  expect(hidden).toContain('is not public, so this operation is not shown here.');
  const html = await renderPage(block, { dialect: 'gitbook', operationOf: () => null });
  expect(html).toContain('old');
  expect(findOperations(block)).toEqual([{ spec: 'pets', path: '/pets/{id}', method: 'PUT' }]);
  expect(findOperations('```\n{% openapi src="x" path="/a" method="get" %}\n```\n{% hint %}')).toEqual([]);
});

it.each([
  '>'.repeat(7_900),
  '<b x=1>'.repeat(500) + '\n\na'.repeat(1_000),
  '[a]('.repeat(1_900),
  '* '.repeat(3_900),
])('stands a hostile description: %#', async (description) => {
  const html = await renderPage(block, { dialect: 'gitbook', operationOf: () => ({ ...view, description }) });
  expect(html.length).toBeLessThan(2_000_000);
});

describe('on a site', () => {
  const show = async (shown = view) =>
    await renderPage(block, {
      dialect: 'gitbook',
      isForSite: true,
      highlight: false,
      operationOf: () => shown,
    });

  it('stands beside samples of how it is called', async () => {
    const page = await show();
    expect(page.match(/<summary class="tab-title"[^<]*/g)?.map((tag) => tag.replace(/.*>/, ''))).toEqual([
      'curl',
      'JavaScript',
      'Python',
    ]);
    const samples = [...page.matchAll(/<code class="language-\w+">([^<]*)/g)].map(([, code = '']) =>
      code.replaceAll('&#x3C;', '<').replaceAll('&#x26;', '&'),
    );
    expect(samples[0]).toBe(
      `curl -X PUT 'https://api.example/pets/ID' \\
  -H 'X-Key: YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "name": "Rex",
  "parent": {},
  "tags": {
    "key": "text"
  },
  "kind": {
    "lives": 1
  }
}'`,
    );
    expect(samples[1]).toContain('body: JSON.stringify({\n    "name": "Rex",');
    expect(samples[2]).toContain('json={\n        "name": "Rex",');
    expect(JSON.parse(samples[3] ?? '')).toMatchObject({ id: 1, name: 'Rex' });
  });

  it('has objects that unfold without a script', async () => {
    const inner = {
      name: 'street',
      depth: 1,
      type: 'string',
      isRequired: true,
      isDeprecated: false,
      description: '',
      notes: [],
    };
    const fields = [
      { ...inner, name: 'address', depth: 0, type: 'Address' },
      inner,
      { ...inner, name: 'x', depth: 0 },
    ];
    const page = await show({
      ...view,
      responses: [],
      body: {
        description: '',
        isRequired: true,
        contents: [{ mediaType: 'application/json', type: 'object', fields, isCut: false }],
      },
    });
    expect(page).toMatch(
      /<code>address<\/code>[\s\S]*<details><summary>Properties: 1<\/summary><ul class="fields"><li><p><code>street<\/code>[\s\S]*<\/details><\/li><li><p><code>x</,
    );
  });

  it('quotes what shells and programs would read', async () => {
    const field = {
      name: "it's",
      in: 'query',
      depth: 0,
      type: 'string',
      isRequired: true,
      isDeprecated: false,
      description: '',
      notes: ["example a'b&c </code>"],
    };
    const page = await show({
      ...view,
      method: 'GET',
      body: null,
      parameters: [field],
      responses: [],
      security: [],
    });
    expect(page).toContain("curl 'https://api.example/pets/ID?it'\\''s=a'\\''b%26c%20%3C%2Fcode%3E'");
  });
});
