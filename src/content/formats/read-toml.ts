import { parse, type TomlTable } from 'smol-toml';
import { isRecord } from './untyped-values.ts';

export type { TomlTable };

/** No configuration is deeper, and what goes through its values may use the stack for each level. */
const MAX_DEPTH = 100;

/** The last text and its values: several parts of a format ask for the same file, one after the other. */
let last: { readonly text: string; readonly values: TomlTable | null } | null = null;

/** Parses a TOML file; null if it is invalid, in which case builders and hosts reject it too, or nested too deeply. */
export function readToml(text: string): TomlTable | null {
  if (last?.text !== text) last = { text, values: parseToml(text) };
  return last.values;
}

function parseToml(text: string): TomlTable | null {
  try {
    const values = parse(text, { maxDepth: MAX_DEPTH });
    return isDeeper(values) ? null : values;
  } catch {
    return null;
  }
}

/** Whether values are deeper than `MAX_DEPTH`, which the parser does not look at for tables that dotted keys make. */
function isDeeper(values: TomlTable): boolean {
  let level: unknown[] = [values];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => (Array.isArray(value) || isRecord(value) ? Object.values(value) : []));
  }
  return false;
}

/** The value at a path of keys; undefined when there is none. */
export function tomlAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}
