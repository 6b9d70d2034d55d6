import type { ListItem } from 'mdast';
import { type ComputedSource, MAX_TEXT_LENGTH } from '../model/index.ts';
import { readFrontMatter } from './front-matter.ts';

/** Longer blocks are not read as an entry of a table of contents. */
const MAX_LENGTH = 16_000;

/**
 * Reads the settings of an item whose pages the publisher generates: a list item that contains one fenced block of YAML,
 * such as `type: builtin:openapi`. Null for every other item.
 * See https://gitbook.com/docs/api-references/openapi/insert-api-reference.
 */
export function readComputed(item: ListItem): ComputedSource | null {
  const [block] = item.children;
  if (block?.type !== 'code' || !/^ya?ml$/i.test(block.lang ?? '') || block.value.length > MAX_LENGTH)
    return null;
  const { values } = readFrontMatter(block.value, 1);
  const { type, dependencies, props } = values;
  if (typeof type !== 'string' || !/^builtin:(?:openapi|translation)$/.test(type)) return null;
  const named = isRecord(dependencies)
    ? Object.entries(dependencies).flatMap(([name, dependency]) => {
        const ref = isRecord(dependency) ? dependency['ref'] : undefined;
        if (!isRecord(ref) || typeof ref['kind'] !== 'string') return [];
        const { kind, spec } = ref;
        return [[name, { kind, ...(typeof spec === 'string' ? { spec } : {}) }] as const];
      })
    : [];
  return {
    type,
    ...(named.length === 0 ? {} : { dependencies: Object.fromEntries(named) }),
    ...(isRecord(props) ? { props } : {}),
  };
}

/** Returns the title of the entry until its pages are generated: its specification, else its kind. */
export function titleOf({ type, dependencies = {} }: ComputedSource): string {
  const spec = Object.values(dependencies).find(({ spec }) => spec !== undefined)?.spec;
  return (spec ?? type.replace(/^builtin:/, '')).slice(0, MAX_TEXT_LENGTH);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
