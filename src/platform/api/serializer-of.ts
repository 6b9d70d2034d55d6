import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { toWireSchema } from '../../contract/index.ts';

export type Serializer = (answer: unknown) => string;

const serializers = new WeakMap<TSchema, Serializer>();

/**
 * Returns a function that serializes answers of this schema as JSON, without fields that it does not name. It is compiled
 * on first use: compiling all of them would take most of the server's start, and few are used in a day.
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
