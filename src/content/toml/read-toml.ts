import { parse, type TomlTable } from 'smol-toml';
import type { FileValues } from '../yaml/index.ts';

/** No configuration is deeper, and what goes through its values may use the stack for each level. */
const MAX_DEPTH = 100;

/** Reads a TOML file; one that is nested too deeply is invalid. Never throws. */
export function readToml(text: string): FileValues {
  try {
    const values = parse(text, { maxDepth: MAX_DEPTH });
    if (!isDeeper(values)) return { values, error: null, isRead: true };
    return { values: undefined, error: `it has more than ${MAX_DEPTH} levels`, isRead: false };
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    return { values: undefined, error: line, isRead: false };
  }
}

/** Whether values are deeper than `MAX_DEPTH`, which the parser does not look at for tables that dotted keys make. */
function isDeeper(values: TomlTable): boolean {
  let level: unknown[] = [values];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => {
      if (typeof value !== 'object' || value === null || value instanceof Date) return [];
      return Array.isArray(value) ? value : Object.values(value);
    });
  }
  return false;
}
