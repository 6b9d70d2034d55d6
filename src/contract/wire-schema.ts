import type { TSchema } from 'typebox';

export type WireSchema = Record<string, unknown>;

/**
 * Converts a schema to plain JSON Schema in which every named part (one with `$id`) is a reference, and returns the
 * named parts that it needs, by name. `formatReference` returns the text of a reference: `Space#` for a validator,
 * `#/components/…` for a document.
 */
export function toWireSchema(
  schema: TSchema,
  formatReference: (name: string) => string,
): { schema: WireSchema; named: Map<string, WireSchema> } {
  const named = new Map<string, WireSchema>();

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as WireSchema;
    if (typeof $id !== 'string') return visitFields(rest);
    if (!named.has($id)) {
      // Set before the visit, so that a recursive schema terminates.
      named.set($id, {});
      named.set($id, visitFields(rest));
    }
    return { $ref: formatReference($id) };
  }

  function visitFields(fields: WireSchema): WireSchema {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, formatReference(value.replace('#', ''))]
          : [key, visit(value)],
      ),
    );
  }

  return { schema: visit(schema) as WireSchema, named };
}
