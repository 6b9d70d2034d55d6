import Type, { type Static } from 'typebox';
import { Formed, Id, Moment, Url } from '../scalars.ts';

export const OpenAPISlug = Formed(
  '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$',
  'must be letters and digits with single hyphens between them, for example pet-store',
  { minLength: 1, maxLength: 100 },
);

export const OpenAPIVisibility = Type.Enum(['private', 'public'], {
  type: 'string',
  description: '`public`: anyone with the address of a version may read its document, without a token.',
});

/** A problem found while processing, with its location if it has one. */
export const OpenAPIProcessError = Type.Object({
  message: Type.String({ description: 'One sentence, including the location.' }),
  code: Type.String({
    description:
      'For example `INVALID_SYNTAX`, `UNSUPPORTED_VERSION`, `INVALID_STRUCTURE`, `UNRESOLVED_REFERENCE`, `TOO_LARGE`, `TIMEOUT`, `FETCH_ERROR`.',
  }),
  path: Type.Optional(Type.String({ description: 'The file. An extension, like the next three fields.' })),
  pointer: Type.Optional(Type.String({ description: 'A JSON pointer into the file.' })),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'In UTF-16 code units.' })),
});

/** A description of an API that an organization has registered. */
export const OpenAPISpec = Type.Object(
  {
    object: Type.Literal('openapi-spec'),
    id: Id,
    createdAt: Moment,
    updatedAt: Moment,
    slug: OpenAPISlug,
    sourceURL: Type.Optional(
      Type.String({
        format: 'uri',
        maxLength: 2048,
        description:
          'Where it is fetched from. Never with a user name or password; the query string is shown only to those who may edit.',
      }),
    ),
    processingState: Type.Enum(['pending', 'progress', 'complete'], {
      type: 'string',
      description: '`complete` also after a failure; `lastProcessErrorCode` is set then.',
    }),
    visibility: Type.Optional(OpenAPIVisibility),
    lastVersion: Type.Optional(Id),
    lastProcessedAt: Type.Optional(Moment),
    lastProcessErrorCode: Type.Optional(
      Type.Enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'], { type: 'string' }),
    ),
    lastProcessedErrors: Type.Optional(Type.Array(OpenAPIProcessError)),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({
      location: Url,
      app: Type.String({ format: 'uri', description: 'The page that shows its state and its versions.' }),
      published: Type.Optional(
        Type.String({
          format: 'uri',
          description: 'The document of the latest version, if the specification is public.',
        }),
      ),
    }),
  },
  { $id: 'OpenAPISpec' },
);
export type OpenAPISpec = Static<typeof OpenAPISpec>;

/** A version of a specification; a new one begins where the meaning changes. */
export const OpenAPISpecVersion = Type.Object(
  {
    object: Type.Literal('openapi-spec-version'),
    id: Id,
    createdAt: Type.Optional(Moment),
    url: Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'Where to read it as one document; a private one requires a token there.',
    }),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'OpenAPISpecVersion' },
);
export type OpenAPISpecVersion = Static<typeof OpenAPISpecVersion>;

export const OpenAPIVersionContent = Type.Object({
  filesystem: Type.Object(
    {
      entrypoint: Type.String({ description: 'The main file.' }),
      files: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Every file of the specification, by its path or URL.',
      }),
    },
    { description: 'The files as they were read, with their `$ref` as written.' },
  ),
  url: Url,
});

/** A difference between what two versions promise their clients; see `docs/openapi.md`. */
export const OpenAPIChange = Type.Object({
  kind: Type.String({ description: 'For example `property-removed`.' }),
  breaking: Type.Boolean({ description: 'Whether a client of the old version may fail with the new one.' }),
  operation: Type.String({
    description: 'For example `GET /pets`; empty if the change belongs to no single operation.',
  }),
  pointer: Type.String({ description: 'A JSON pointer into the document of the version on `side`.' }),
  side: Type.Enum(['old', 'new'], { type: 'string' }),
  message: Type.String(),
  was: Type.Optional(Type.String({ description: 'The old value, abbreviated; absent if there was none.' })),
  is: Type.Optional(Type.String({ description: 'The new value, abbreviated; absent if there is none.' })),
});

export const OpenAPIChanges = Type.Object({
  total: Type.Integer(),
  breaking: Type.Integer({ description: 'How many of them are breaking.' }),
  items: Type.Array(OpenAPIChange, { description: 'Breaking ones first; at most 1,000.' }),
});

const Field = Type.Object({
  name: Type.String(),
  depth: Type.Integer(),
  type: Type.String(),
  isRequired: Type.Boolean(),
  isDeprecated: Type.Boolean(),
  description: Type.String(),
  notes: Type.Array(Type.String()),
  role: Type.Optional(
    Type.Literal('alternative', { description: 'One of several forms that a value may have; no property.' }),
  ),
});

const Content = Type.Object({
  mediaType: Type.String(),
  type: Type.String(),
  fields: Type.Array(Field),
  isCut: Type.Boolean(),
  examples: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
});

const Body = Type.Union([
  Type.Object({
    description: Type.String(),
    isRequired: Type.Boolean(),
    contents: Type.Array(Content),
  }),
  Type.Null(),
]);

const Responses = Type.Array(
  Type.Object({
    status: Type.String(),
    description: Type.String(),
    headers: Type.Array(Field),
    contents: Type.Array(Content),
  }),
);

const Server = Type.Object({
  url: Type.String({ description: 'With its variables in braces.' }),
  description: Type.String(),
  variables: Type.Array(
    Type.Object({
      name: Type.String(),
      initial: Type.String(),
      values: Type.Array(Type.String(), { description: 'Empty where any value is allowed.' }),
      description: Type.String(),
    }),
  ),
});

/** A security scheme as an operation needs it. */
const Credential = Type.Object({
  name: Type.String(),
  type: Type.String(),
  scheme: Type.String(),
  in: Type.String(),
  field: Type.String(),
  description: Type.String(),
  scopes: Type.Array(Type.String()),
  addresses: Type.Array(Type.Object({ label: Type.String(), url: Type.String() })),
});

/** An operation as readers see it. */
export const OpenAPIOperation = Type.Object(
  {
    method: Type.String(),
    path: Type.String(),
    title: Type.String(),
    description: Type.String(),
    isDeprecated: Type.Boolean(),
    tags: Type.Array(Type.String()),
    servers: Type.Array(Type.String()),
    serverChoices: Type.Optional(Type.Array(Server)),
    security: Type.Array(Type.String()),
    access: Type.Optional(
      Type.Array(Type.Array(Credential), {
        description: 'The alternatives of authorization, each with all that it takes.',
      }),
    ),
    parameters: Type.Array(
      Type.Object({
        in: Type.String(),
        style: Type.Optional(Type.String({ description: 'How lists and objects are written.' })),
        values: Type.Optional(Type.Array(Type.String())),
        ...Field.properties,
      }),
    ),
    body: Body,
    responses: Responses,
    isWebhook: Type.Optional(Type.Boolean({ description: 'Whether the API sends it to its clients.' })),
    callbacks: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          method: Type.String(),
          path: Type.String({ description: 'An expression that says where the address is.' }),
          description: Type.String(),
          body: Body,
          responses: Responses,
        }),
      ),
    ),
  },
  { $id: 'OpenAPIOperation' },
);
export type OpenAPIOperation = Static<typeof OpenAPIOperation>;
