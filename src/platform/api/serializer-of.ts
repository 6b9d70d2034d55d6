import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { toWireSchema } from '../../contract/index.ts';

export type Serializer = (answer: unknown) => string;

const serializers = new WeakMap<TSchema, Serializer>();

/**
 * What writes answers of this schema as JSON, without fields that it does not name. It is compiled when it is asked for
 * first: most of a start of the server would go into those of all operations, of which a day sees a few.
 */
export function serializerOf(schema: TSchema): Serializer {
  let serializer = serializers.get(schema);
  if (serializer === undefined) {
    const { schema: plain, named } = toWireSchema(schema, (name) => `${name}#`);
    const definitions = [...named].map(([$id, definition]) => [$id, { $id, ...definition }]);
    serializer = fastJsonStringify(plain, { schema: Object.fromEntries(definitions) }) as Serializer;
    serializers.set(schema, serializer);
  }
  return serializer;
}
