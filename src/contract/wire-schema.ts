import type { TSchema } from 'typebox';

export type WireSchema = Record<string, unknown>;

/**
 * A schema as plain JSON Schema, where every named part (one with `$id`) stands as a reference, and the named
 * parts that it needs, each under its name. `refer` writes a reference: `Space#` for a validator, `#/components/…`
 * for a document.
 */
export function toWireSchema(
  schema: TSchema,
  refer: (name: string) => string,
): { schema: WireSchema; named: Map<string, WireSchema> } {
  const named = new Map<string, WireSchema>();

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as WireSchema;
    if (typeof $id !== 'string') return visitFields(rest);
    if (!named.has($id)) {
      // Set before the visit, so that a schema which refers to itself ends.
      named.set($id, {});
      named.set($id, visitFields(rest));
    }
    return { $ref: refer($id) };
  }

  function visitFields(fields: WireSchema): WireSchema {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, refer(value.replace('#', ''))]
          : [key, visit(value)],
      ),
    );
  }

  return { schema: visit(schema) as WireSchema, named };
}
