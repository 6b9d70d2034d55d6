import type { SchemaView } from './schema-view.ts';
import { shortenText } from './shorten-text.ts';

/** Values of an enumeration that are written out. */
const MAX_VALUES = 30;

/** How each keyword that restricts a value, besides its type, is described. */
const CONSTRAINTS: readonly (readonly [string, (value: unknown) => string])[] = [
  ['const', (value) => `always ${formatExample(value)}`],
  ['enum', (value) => `one of ${formatValues(value)}`],
  ['default', (value) => `default ${formatExample(value)}`],
  ['minimum', (value) => `at least ${formatExample(value)}`],
  ['exclusiveMinimum', (value) => `above ${formatExample(value)}`],
  ['maximum', (value) => `at most ${formatExample(value)}`],
  ['exclusiveMaximum', (value) => `below ${formatExample(value)}`],
  ['multipleOf', (value) => `a multiple of ${formatExample(value)}`],
  ['minLength', (value) => `at least ${formatExample(value)} characters`],
  ['maxLength', (value) => `at most ${formatExample(value)} characters`],
  ['pattern', (value) => `pattern ${formatExample(value)}`],
  ['minItems', (value) => `at least ${formatExample(value)} items`],
  ['maxItems', (value) => `at most ${formatExample(value)} items`],
  ['uniqueItems', () => 'no item twice'],
  ['minProperties', (value) => `at least ${formatExample(value)} properties`],
  ['maxProperties', (value) => `at most ${formatExample(value)} properties`],
  ['readOnly', () => 'read-only'],
  ['writeOnly', () => 'write-only'],
  ['example', (value) => `example ${formatExample(value)}`],
  ['examples', (value) => `example ${formatExample(firstOf(value))}`],
];

export function describeConstraints({ fields }: SchemaView): string[] {
  return CONSTRAINTS.flatMap(([name, describe]) => {
    const value = fields[name];
    if (value === undefined || (/^(?:readOnly|writeOnly|uniqueItems)$/.test(name) && value !== true))
      return [];
    if (/^(?:enum|examples)$/.test(name) && (!Array.isArray(value) || value.length === 0)) return [];
    return name === 'examples' && fields['example'] !== undefined ? [] : [describe(value)];
  });
}

function formatExample(value: unknown): string {
  return shortenText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 100);
}

function formatValues(value: unknown): string {
  const all = value as readonly unknown[];
  const shown = all.slice(0, MAX_VALUES).map(formatExample).join(', ');
  return all.length > MAX_VALUES ? `${shown} and ${all.length - MAX_VALUES} more` : shown;
}

function firstOf(value: unknown): unknown {
  return (value as readonly unknown[])[0];
}
