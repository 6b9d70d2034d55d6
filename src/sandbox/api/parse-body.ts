import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ForgeApiError } from './api-error.ts';

/** The description of a pull request or an issue. */
export const BodyText = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()]);

/** Returns the body in the shape that the route declares. Throws GitHub's 422 for the first invalid field; ignores unknown ones. */
export function parseBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const value = body ?? {};
  if (Value.Check(schema, value)) return value as Static<S>;
  const first = [...Value.Errors(schema, value)][0];
  const where = first?.instancePath ? `properties${first.instancePath}` : 'properties';
  throw new ForgeApiError(
    422,
    `Invalid request.\n\nFor '${where}', ${first?.message ?? 'the value is not valid'}.`,
  );
}
