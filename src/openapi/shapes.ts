/**
 * What a description of an API is made of: for each kind of object its fields and the kinds of what they hold. One table
 * for Swagger 2.0 and OpenAPI 3.0 to 3.2 (https://spec.openapis.org/oas/): a field that a version does not have is harmless
 * there. What is not in it (examples, extensions, defaults) is never looked into.
 */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'header'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'schema';

export type Shape =
  | { readonly is: 'one'; readonly kind: Kind }
  | { readonly is: 'list'; readonly kind: Kind }
  | { readonly is: 'map'; readonly kind: Kind }
  /** One, or a list of them: `items` of old drafts. */
  | { readonly is: 'one-or-list'; readonly kind: Kind }
  /** A map whose values are lists of names, or one: `dependencies` of old drafts. */
  | { readonly is: 'map-or-names'; readonly kind: Kind };

const one = (kind: Kind): Shape => ({ is: 'one', kind });
const list = (kind: Kind): Shape => ({ is: 'list', kind });
const map = (kind: Kind): Shape => ({ is: 'map', kind });

export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

const content = map('mediaType');

/** Fields of a schema that are one schema. */
const HOLD_ONE =
  'additionalProperties unevaluatedProperties additionalItems unevaluatedItems contains propertyNames not if then else'.split(
    ' ',
  );

export const SHAPES: Readonly<Record<Kind, Readonly<Record<string, Shape>>>> = {
  document: {
    paths: map('pathItem'),
    webhooks: map('pathItem'),
    components: one('components'),
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    securityDefinitions: map('securityScheme'),
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
    mediaTypes: content,
  },
  pathItem: {
    ...Object.fromEntries(METHODS.map((method) => [method, one('operation')])),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: { schema: one('schema'), items: one('schema'), content, examples: map('example') },
  requestBody: { content },
  response: { schema: one('schema'), content, headers: map('header'), links: map('link') },
  mediaType: { schema: one('schema'), itemSchema: one('schema'), examples: map('example') },
  header: { schema: one('schema'), items: one('schema'), content, examples: map('example') },
  example: {},
  link: {},
  // Its keys are expressions; see `shapesOf`.
  callback: {},
  securityScheme: {},
  schema: {
    properties: map('schema'),
    patternProperties: map('schema'),
    definitions: map('schema'),
    $defs: map('schema'),
    dependentSchemas: map('schema'),
    dependencies: { is: 'map-or-names', kind: 'schema' },
    items: { is: 'one-or-list', kind: 'schema' },
    prefixItems: list('schema'),
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    ...Object.fromEntries(HOLD_ONE.map((field) => [field, one('schema')])),
  },
};

/** How people call an object of the kind. */
export const NAMES: Readonly<Record<Kind, string>> = {
  document: 'A description',
  components: 'The components',
  pathItem: 'A path',
  operation: 'An operation',
  parameter: 'A parameter',
  requestBody: 'A request body',
  response: 'A response',
  mediaType: 'The content of a media type',
  header: 'A header',
  example: 'An example',
  link: 'A link',
  callback: 'A callback',
  securityScheme: 'A security scheme',
  schema: 'A schema',
};
