import type { TSchema } from 'typebox';
import { ConfigFile } from './config-schema.ts';

/** A JSON Schema, as plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema of `docloom.yml`, with which editors complete and check it. It covers single values; rules that involve
 * several values are checked only by `parseConfig`.
 * @param id the address under which it is published
 */
export function configJsonSchema(id: string): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', $id: id, ...publish(ConfigFile) };
}

/** Removes our own keywords, and keys with a default from `required`. */
function publish(schema: TSchema): JsonSchema {
  const { reads, required, properties, patternProperties, items, description, ...rest } = keywordsOf(schema);
  const requiredKeys = required?.filter((key) => !('default' in (properties?.[key] ?? {})));
  return {
    ...rest,
    ...(description === undefined ? {} : { description: sentence(description) }),
    ...(requiredKeys === undefined || requiredKeys.length === 0 ? {} : { required: requiredKeys }),
    ...(properties === undefined ? {} : { properties: publishEach(properties) }),
    ...(patternProperties === undefined
      ? {}
      : { patternProperties: publishEach(patternProperties), additionalProperties: false }),
    ...(items === undefined ? {} : { items: publish(items) }),
  };
}

function publishEach(schemas: Readonly<Record<string, TSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, publish(schema)]));
}

/** One row of the documentation's table of keys. */
export interface KeyDescription {
  /** `spaces[].title`. */
  readonly path: string;
  readonly meaning: string;
  /** The default as in YAML; `needed` when the key is required, and empty when there is no default. */
  readonly fallback: string;
}

/** All keys of `docloom.yml`, each before the keys inside it. */
export function describeKeys(): readonly KeyDescription[] {
  return describeInside(ConfigFile, '');
}

function describeInside(schema: TSchema, prefix: string): readonly KeyDescription[] {
  const { properties = {}, required = [], items } = keywordsOf(schema);
  if (items !== undefined) return describeInside(items, `${prefix.slice(0, -1)}[].`);
  return Object.entries(properties).flatMap(([key, property]) => {
    const { description, default: fallback } = keywordsOf(property);
    // Keys without a description, such as the rules, are documented elsewhere.
    if (description === undefined) return [];
    const plain = typeof fallback === 'string' || typeof fallback === 'boolean';
    const row: KeyDescription = {
      path: `${prefix}${key}`,
      meaning: description,
      fallback: plain ? `\`${fallback}\`` : fallback === undefined && required.includes(key) ? 'needed' : '',
    };
    return [row, ...describeInside(property, `${prefix}${key}.`)];
  });
}

interface Keywords {
  readonly reads?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

function keywordsOf(schema: TSchema): Keywords {
  return schema as Keywords;
}

function sentence(text: string): string {
  const plain = text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${plain.endsWith('.') ? '' : '.'}`;
}
