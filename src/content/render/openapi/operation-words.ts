import type { ElementContent } from 'hast';
import { textNode } from './description-elements.ts';

/** What readers of a site are told around an operation, in English. `{…}` stands for a value. */
export const ENGLISH_OPERATION_WORDS = {
  server: 'Server',
  servers: 'Servers',
  or: 'or',
  and: 'and',
  authorization: 'Authorization',
  authorizationOneOf: 'Authorization, one of',
  nothingNeeded: 'Nothing: also without credentials.',
  scopes: 'With the scopes',
  keyInHeader: 'API key in the header {name}',
  keyInQuery: 'API key in the query parameter {name}',
  keyInCookie: 'API key in the cookie {name}',
  password: 'user name and password (HTTP basic)',
  token: 'token in the header {name}',
  certificate: 'TLS certificate of the client',
  deviceAuthorization: 'Device authorization',
  tokens: 'Tokens',
  configuration: 'OpenID configuration',
  pathParameters: 'Path parameters',
  queryParameters: 'Query parameters',
  query: 'Query',
  headerParameters: 'Header parameters',
  cookies: 'Cookies',
  body: 'Request body',
  bodyRequired: 'Request body (required)',
  responses: 'Responses',
  yourAnswer: 'Your answer',
  headers: 'Headers',
  callbacks: 'Callbacks',
  sentToYou: 'The API sends this request to your server.',
  thenSends: 'The API then sends {request}',
  required: 'required',
  deprecated: 'deprecated',
  oneOf: 'One of',
  andOneOf: 'And one of',
  properties: 'Properties: {count}',
  forms: 'Forms: {count}',
  leftOut: 'Some properties are left out here; the specification has them all.',
  example: 'Example: {name}',
  notPublic: 'The API specification {name} is not public, so this operation is not shown here.',
  none: 'None',
  always: 'always {value}',
  oneOfValues: 'one of {value}',
  someOfValues: 'one of {value} and {count} more',
  default: 'default {value}',
  atLeast: 'at least {value}',
  above: 'above {value}',
  atMost: 'at most {value}',
  below: 'below {value}',
  multipleOf: 'a multiple of {value}',
  minLength: 'at least {value} characters',
  maxLength: 'at most {value} characters',
  pattern: 'pattern {value}',
  minItems: 'at least {value} items',
  maxItems: 'at most {value} items',
  uniqueItems: 'no item twice',
  minProperties: 'at least {value} properties',
  maxProperties: 'at most {value} properties',
  readOnly: 'read-only',
  writeOnly: 'write-only',
  exampleValue: 'example {value}',
  saysForm: 'says which form it is',
  sameAgain: 'with the same properties again',
  whereValue: '{name} is {value}',
  arrayOf: 'array of {type}',
  mapOf: 'map of {type}',
  others: 'others',
  anything: 'anything',
  any: 'any',
} as const;

export type OperationWords = Readonly<Record<keyof typeof ENGLISH_OPERATION_WORDS, string>>;

/** A sentence as text around one value, which is an element. */
export function sentenceAround(
  sentence: string,
  value: string,
  content: readonly ElementContent[],
): ElementContent[] {
  const [before = '', after = ''] = sentence.split(`{${value}}`);
  return [textNode(before), ...content, textNode(after)].filter(
    (node) => node.type !== 'text' || node.value !== '',
  );
}

export function fillWord(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
