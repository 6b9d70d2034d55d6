import Type, { type Static } from 'typebox';
import { Id, Moment, Url } from '../scalars.ts';

export const OpenAPISlug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$',
});

export const OpenAPIVisibility = Type.Enum(['private', 'public'], {
  type: 'string',
  description: '`public`: who has the address of a version may read its document, without a token.',
});

/** One thing that is wrong, with its place where there is one. */
export const OpenAPIProcessError = Type.Object({
  message: Type.String({ description: 'One sentence, with the place.' }),
  code: Type.String({
    description:
      'As `INVALID_SYNTAX`, `UNSUPPORTED_VERSION`, `INVALID_STRUCTURE`, `UNRESOLVED_REFERENCE`, `TOO_LARGE`, `TIMEOUT`, `FETCH_ERROR`.',
  }),
  path: Type.Optional(Type.String({ description: 'The file. An extension, as the next three.' })),
  pointer: Type.Optional(Type.String({ description: 'A JSON pointer into the file.' })),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'In UTF-16 code units.' })),
});

/** A description of an API that an organization keeps. */
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
          'Where it is fetched from. Never with a user name or password; the query is for those who may edit.',
      }),
    ),
    processingState: Type.Enum(['pending', 'progress', 'complete'], {
      type: 'string',
      description: '`complete` also after a failure; `lastProcessErrorCode` tells the difference.',
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
      published: Type.Optional(
        Type.String({ format: 'uri', description: 'The document of the latest version, of a public one.' }),
      ),
    }),
  },
  { $id: 'OpenAPISpec' },
);
export type OpenAPISpec = Static<typeof OpenAPISpec>;

/** What a specification meant from some time on. */
export const OpenAPISpecVersion = Type.Object(
  {
    object: Type.Literal('openapi-spec-version'),
    id: Id,
    createdAt: Type.Optional(Moment),
    url: Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'Where it is as one document; a private one asks for a token there.',
    }),
    urls: Type.Object({ location: Url }),
  },
  { $id: 'OpenAPISpecVersion' },
);
export type OpenAPISpecVersion = Static<typeof OpenAPISpecVersion>;

export const OpenAPIVersionContent = Type.Object({
  filesystem: Type.Object(
    {
      entrypoint: Type.String({ description: 'The file to begin with.' }),
      files: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Every file that the specification is made of, by its path or address.',
      }),
    },
    { description: 'The files as they were read, their `$ref` as written.' },
  ),
  url: Url,
});

/** One difference in what two versions promise; see `docs/openapi.md`. */
export const OpenAPIChange = Type.Object({
  kind: Type.String({ description: 'As `property-removed`.' }),
  breaking: Type.Boolean({ description: 'Whether a client of the old version may fail with the new one.' }),
  operation: Type.String({ description: 'As `GET /pets`; empty for what is not of one.' }),
  pointer: Type.String({ description: 'A JSON pointer into the document of the version on `side`.' }),
  side: Type.Enum(['old', 'new'], { type: 'string' }),
  message: Type.String(),
  was: Type.Optional(Type.String({ description: 'What was there, in short; absent for nothing.' })),
  is: Type.Optional(Type.String({ description: 'What is there now, in short.' })),
});

export const OpenAPIChanges = Type.Object({
  total: Type.Integer(),
  breaking: Type.Integer({ description: 'How many of them are.' }),
  items: Type.Array(OpenAPIChange, { description: 'Breaking ones first; 1,000 at most.' }),
});

const Field = Type.Object({
  name: Type.String(),
  depth: Type.Integer(),
  type: Type.String(),
  isRequired: Type.Boolean(),
  isDeprecated: Type.Boolean(),
  description: Type.String(),
  notes: Type.Array(Type.String()),
});

const Content = Type.Object({
  mediaType: Type.String(),
  type: Type.String(),
  fields: Type.Array(Field),
  isCut: Type.Boolean(),
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
    security: Type.Array(Type.String()),
    parameters: Type.Array(Type.Object({ in: Type.String(), ...Field.properties })),
    body: Type.Union([
      Type.Object({
        description: Type.String(),
        isRequired: Type.Boolean(),
        contents: Type.Array(Content),
      }),
      Type.Null(),
    ]),
    responses: Type.Array(
      Type.Object({
        status: Type.String(),
        description: Type.String(),
        headers: Type.Array(Field),
        contents: Type.Array(Content),
      }),
    ),
  },
  { $id: 'OpenAPIOperation' },
);
export type OpenAPIOperation = Static<typeof OpenAPIOperation>;
