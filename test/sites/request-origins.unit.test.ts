import { describe, expect, test } from 'vitest';
import { pictureOrigins } from '../../src/sites/choose-look.ts';
import { requestOrigins } from '../../src/sites/content/request-origins.ts';
import { policyFor } from '../../src/sites/security-headers.ts';

type Operation = Parameters<typeof requestOrigins>[0][number];
type Variable = NonNullable<Operation['serverChoices']>[number]['variables'][number];

const isOwn = ({ host }: URL) => host === 'docs.example';

function operation(url: string, variables: Partial<Variable>[] = []): Operation {
  return {
    method: 'GET',
    path: '/',
    title: '',
    description: '',
    isDeprecated: false,
    tags: [],
    servers: [url],
    serverChoices: [
      {
        url,
        description: '',
        variables: variables.map((one) => ({ name: 'v', initial: '', values: [], description: '', ...one })),
      },
    ],
    security: [],
    parameters: [],
    body: null,
    responses: [],
  };
}

describe('the origins to which requests may be sent', () => {
  test.each<[string, Partial<Variable>[], readonly string[]]>([
    ['https://api.example/v1', [], ['https://api.example']],
    ['https://api.example:8443', [], ['https://api.example:8443']],
    [
      'https://{v}.api.example/{w}',
      [{ values: ['eu', 'us'] }, { name: 'w', values: ['a', 'b'] }],
      ['https://eu.api.example', 'https://us.api.example'],
    ],
    ['https://{v}.api.example', [{ initial: 'eu' }], ['https://eu.api.example']],
    ['{v}://api.example', [{ values: ['https', 'http'] }], ['https://api.example']],
    ['http://localhost:8080/v1', [], ['http://localhost:8080']],
    ['http://127.0.0.1', [], ['http://127.0.0.1']],
    ['http://[::1]:3', [], ['http://[::1]:3']],
    ['https://[2001:db8::1]', [], ['https://[2001:db8::1]']],
    ['http://api.example', [], []],
    ['https://docs.example/v1', [], []],
    ['https://DOCS.example', [], []],
    ['https://user:secret@api.example', [], []],
    ['https://*', [], []],
    ['https://*.example', [], []],
    ['https://a;sandbox', [], []],
    ["https://a,b'", [], []],
    ['https://a b', [], []],
    [
      'https://{v}',
      [{ values: ["x; script-src 'unsafe-inline'", '*', 'api.example/', 'a@docs.example'] }],
      ['https://api.example'],
    ],
    ['/v1', [], []],
    ['//api.example', [], []],
    ['javascript:alert(1)', [], []],
    ['data:text/html,x', [], []],
    ['ws://api.example', [], []],
    ['', [], []],
  ])('%s %j', (url, variables, expected) => {
    expect(requestOrigins([operation(url, variables)], isOwn)).toEqual(expected);
  });

  test('are few, whatever the variables of an address make', () => {
    const values = Array.from({ length: 30 }, (_, at) => `a${at}`);
    const variables = ['v', 'w', 'x', 'y', 'z'].map((name) => ({ name, values }));
    expect(requestOrigins([operation('https://{v}.{w}.{x}.{y}.{z}', variables)], isOwn)).toHaveLength(20);
  });

  test('are none of a webhook, and those of an operation that an older release stored', () => {
    const { serverChoices: _choices, ...older } = operation('https://api.example');
    expect(requestOrigins([{ ...older, isWebhook: true }], isOwn)).toEqual([]);
    expect(requestOrigins([older], isOwn)).toEqual(['https://api.example']);
  });
});

test('the policy of a page names them, and the hosts of its pictures', () => {
  const logo = { light: 'https://cdn.example/logo.svg', dark: 'https://*/logo.svg' };
  const pictures = pictureOrigins({ logo, favicon: null });
  const { 'content-security-policy': policy = '' } = policyFor('', pictures, ['https://api.example']);
  expect(policy).toContain("; connect-src 'self' https://api.example; ");
  expect(policy).toContain("; img-src 'self' https://cdn.example data:; ");
  expect(policyFor('')).toEqual({});
});
