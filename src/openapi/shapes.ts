/**
 * The structure of an API description: the fields of each kind of object and the kinds of their values. One table for
 * Swagger 2.0 and OpenAPI 3.0 to 3.2 (https://spec.openapis.org/oas/): a field that a version does not have is harmless
 * there. What is not in the table (examples, extensions, defaults) is never read.
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
  | { readonly is: 'single'; readonly kind: Kind }
  | { readonly is: 'list'; readonly kind: Kind }
  | { readonly is: 'map'; readonly kind: Kind }
  /** A single value or a list: `items` of old drafts. */
  | { readonly is: 'single-or-list'; readonly kind: Kind }
  /** A map whose values are lists of names or single values: `dependencies` of old drafts. */
  | { readonly is: 'map-or-names'; readonly kind: Kind };

const single = (kind: Kind): Shape => ({ is: 'single', kind });
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

/** Fields of a schema that contain a single schema. */
const SINGLE_SCHEMA_FIELDS =
  'additionalProperties unevaluatedProperties additionalItems unevaluatedItems contains propertyNames not if then else'.split(
    ' ',
  );

export const SHAPES: Readonly<Record<Kind, Readonly<Record<string, Shape>>>> = {
  document: {
    paths: map('pathItem'),
    webhooks: map('pathItem'),
    components: single('components'),
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
    ...Object.fromEntries(METHODS.map((method) => [method, single('operation')])),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: single('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: { schema: single('schema'), items: single('schema'), content, examples: map('example') },
  requestBody: { content },
  response: { schema: single('schema'), content, headers: map('header'), links: map('link') },
  mediaType: { schema: single('schema'), itemSchema: single('schema'), examples: map('example') },
  header: { schema: single('schema'), items: single('schema'), content, examples: map('example') },
  example: {},
  link: {},
  // Its keys are expressions, so `readSpec` visits all of them.
  callback: {},
  securityScheme: {},
  schema: {
    properties: map('schema'),
    patternProperties: map('schema'),
    definitions: map('schema'),
    $defs: map('schema'),
    dependentSchemas: map('schema'),
    dependencies: { is: 'map-or-names', kind: 'schema' },
    items: { is: 'single-or-list', kind: 'schema' },
    prefixItems: list('schema'),
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    ...Object.fromEntries(SINGLE_SCHEMA_FIELDS.map((field) => [field, single('schema')])),
  },
};

/** How messages name an object of the kind. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
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
