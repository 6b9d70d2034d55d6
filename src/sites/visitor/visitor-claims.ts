import { type ConditionScope, NOTHING_KNOWN } from '../../platform/index.ts';
import type { SiteRow } from '../../store/index.ts';

/**
 * The claims that the site's adaptive schema describes, with values as it describes them; all others are dropped. None
 * where adaptive content is off.
 */
export function knownClaims(
  { adaptiveContent, adaptiveSchema }: Pick<SiteRow, 'adaptiveContent' | 'adaptiveSchema'>,
  signed: Readonly<Record<string, unknown>>,
  unsigned: Readonly<Record<string, unknown>>,
): ConditionScope {
  if (!adaptiveContent) return NOTHING_KNOWN;
  const { unsigned: unsignedSchema, ...properties } = propertiesOf(adaptiveSchema);
  return { ...pick(signed, properties), unsigned: pick(unsigned, propertiesOf(unsignedSchema)) };
}

function pick(
  claims: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      Object.hasOwn(claims, name) && accepts(schema, claims[name]) ? [[name, claims[name]]] : [],
    ),
  );
}

/** Claims are booleans, or texts of which a schema may list the possible ones. */
function accepts(schema: unknown, value: unknown): boolean {
  const { type, enum: values } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  if (Array.isArray(values)) return values.includes(value);
  return typeof value === type;
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return (schema as { readonly properties?: Record<string, unknown> } | null | undefined)?.properties ?? {};
}
