import Type, { type Static } from 'typebox';
import { Formed } from '../scalars.ts';

/** The source of an API description: a URL, or the text itself. */
export const OpenAPISource = Type.Union([
  Type.Object(
    {
      url: Type.String({ format: 'uri', maxLength: 2048, description: 'An http or https URL.' }),
      headers: Type.Optional(
        Type.Record(
          Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }),
          Formed('^[\\t\\x20-\\x7e\\x80-\\uffff]*$', 'must be one line without control characters', {
            maxLength: 4096,
          }),
          {
            maxProperties: 20,
            description: 'Sent with every request to the host of the URL, and never returned. An extension.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      text: Type.String({ minLength: 1, description: 'The document, in JSON or YAML.' }),
      path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'The name of the document, for error messages. An extension.',
        }),
      ),
      files: Type.Optional(
        Type.Record(Type.String({ maxLength: 1024 }), Type.String(), {
          description: 'The files that it refers to, by paths beside `path`. An extension.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
]);
export type OpenAPISource = Static<typeof OpenAPISource>;
