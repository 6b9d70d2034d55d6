import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderPageParts } from '../../src/content/render/index.ts';
import { sanitised } from '../../src/markup/index.ts';
import { describeOperation, readApi } from '../../src/openapi/index.ts';
import { requestOrigins } from '../../src/sites/content/request-origins.ts';
import { policyFor, siteSecurityHeaders } from '../../src/sites/security-headers.ts';
import { renderSitePage } from '../../src/sites/views/render-site-page.ts';
import { siteAssets } from '../../src/sites/views/site-assets.ts';
import { sampleFrame, samplePage } from '../sites/views/sample-page.ts';

export interface OperationServer {
  /** Of a page with an operation. */
  readonly url: string;
  /** What the API was asked: method, address, headers and body. */
  readonly requests: readonly {
    readonly line: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  close(): Promise<void>;
}

/** A site with a page about an API, and the API on another origin, which allows requests from pages to all but `/closed`. */
export async function startOperationServer(): Promise<OperationServer> {
  const requests: OperationServer['requests'][number][] = [];
  const api = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'OPTIONS') {
      const body = Buffer.concat(chunks).toString();
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    }
    answer(request, response);
  });
  const apiUrl = await listen(api);
  const view = viewOf(apiUrl);
  const { body } = await renderPageParts('{% openapi-operation spec="pets" path="/" method="get" %}', {
    dialect: 'gitbook',
    isForSite: true,
    canTry: true,
    highlight: true,
    operationOf: () => view,
  });
  const frame = sampleFrame();
  const page = samplePage({
    body: sanitised(body),
    operations: { hasScript: true, requestOrigins: requestOrigins([view as never], () => false) },
    layout: { ...samplePage().layout, isWide: true },
    socialImage: null,
  });
  const site = createServer((request, response) => {
    const asset = Object.values(siteAssets()).find(({ name }) => request.url === `/docs/~assets/${name}`);
    const html = renderSitePage({ frame, page });
    const send = (type: string, text: string | Buffer) => {
      const headers = { ...siteSecurityHeaders, ...policyFor(html, [], page.operations?.requestOrigins) };
      response.writeHead(200, { ...headers, 'set-cookie': 'mine=1', 'content-type': type }).end(text);
    };
    if (asset !== undefined) send(asset.contentType, asset.body);
    else send('text/html; charset=utf-8', html);
  });
  return {
    url: `${await listen(site)}/docs/pets`,
    requests,
    close: async () => void (await Promise.all([close(api), close(site)])),
  };
}

function viewOf(apiUrl: string) {
  const { api, resolve } = readApi({
    openapi: '3.1.0',
    security: [{ key: [] }, { login: ['read'] }],
    servers: [
      {
        url: 'https://{region}.api.example/v1',
        description: 'Production',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
      },
      { url: `${apiUrl}/{path}`, description: 'Local', variables: { path: { default: 'v1' } } },
      { url: 'http://plain.example' },
    ],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask us for one.' },
        login: { type: 'http', scheme: 'basic' },
      },
      schemas: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', maxLength: 20, default: 'Rex' },
            kind: {
              discriminator: { propertyName: 'is' },
              oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
            },
            parent: { $ref: '#/components/schemas/Pet' },
          },
        },
        Cat: { properties: { is: { type: 'string' }, lives: { type: 'integer', minimum: 1 } } },
        Dog: { properties: { is: { type: 'string' }, tricks: { type: 'array', items: { type: 'string' } } } },
      },
    },
    paths: {
      '/pets/{id}': {
        put: {
          summary: 'Change a pet',
          description: 'It has to be *there*.',
          deprecated: true,
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'size', in: 'query', schema: { type: 'string', enum: ['s', 'm'] } },
            { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          responses: {
            '200': {
              description: 'Changed',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
            '404': {
              description: 'No such pet',
              content: { 'application/json': { example: { error: 'gone' } } },
            },
          },
        },
      },
    },
  });
  const [operation] = api.operations;
  if (operation === undefined) throw new Error('The document has an operation.');
  return describeOperation(operation, api, resolve);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (path.includes('closed')) return void response.writeHead(200).end('{}');
  const open = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': '*',
  };
  if (request.method === 'OPTIONS') return void response.writeHead(204, open).end();
  if (path.includes('elsewhere'))
    return void response.writeHead(307, { ...open, location: 'https://elsewhere.example/' }).end();
  const type = path.includes('markup') ? 'text/html' : 'application/json';
  const body = path.includes('markup')
    ? '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>'
    : path.includes('large')
      ? 'x'.repeat(3_000_000)
      : '{"name":"Rex"}';
  response.writeHead(path.includes('missing') ? 404 : 200, { ...open, 'content-type': type }).end(body);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
