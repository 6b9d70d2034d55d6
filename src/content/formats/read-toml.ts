import { parse, type TomlTable } from 'smol-toml';
import { isRecord } from './untyped-values.ts';

export type { TomlTable };

/** Parses a TOML file; null if it is invalid, in which case builders and hosts reject it too. */
export function readToml(text: string): TomlTable | null {
  try {
    return parse(text, { maxDepth: 100 });
  } catch {
    return null;
  }
}

/** The value at a path of keys; undefined when there is none. */
export function tomlAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}
