import type { Located, Resolve } from './resolve-reference.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';
import { shortenText } from './shorten-text.ts';

/** Alternatives that a type names. */
const MAX_NAMED = 6;

/** A type in words: `array of Pet or null`. */
export function describeType(view: SchemaView, resolve: Resolve, depth = 0): string {
  const own = [...(view.types ?? [])].filter((type) => type !== 'null');
  const orNull = view.types?.has('null') === true && own.length > 0 ? ' or null' : '';
  if (view.alternatives.length > 0 && view.properties.size === 0) {
    const names = view.alternatives
      .slice(0, MAX_NAMED)
      .map((alternative) => describeInner(alternative, resolve, depth));
    const more = view.alternatives.length > MAX_NAMED ? ' or others' : '';
    return `${[...new Set(names)].join(' or ')}${more}${orNull}`;
  }
  if (own.includes('array') && own.length === 1) {
    return `array of ${view.items ? describeInner(view.items, resolve, depth) : 'anything'}${orNull}`;
  }
  if (typeof view.additional !== 'boolean' && view.properties.size === 0) {
    return `map of ${describeInner(view.additional, resolve, depth)}${orNull}`;
  }
  if (own.length === 0) return view.types?.has('null') ? 'null' : (view.name ?? 'any');
  const format =
    typeof view.fields['format'] === 'string' ? ` (${shortenText(view.fields['format'], 40)})` : '';
  const name = own.join() === 'object' && view.name !== null ? view.name : own.join(' or ');
  return `${name}${format}${orNull}`;
}

function describeInner(node: Located, resolve: Resolve, depth: number): string {
  const view = viewSchema(node, resolve);
  return depth > 3 ? (view.name ?? 'any') : describeType(view, resolve, depth + 1);
}
