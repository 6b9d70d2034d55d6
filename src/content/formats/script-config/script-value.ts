/** A value that only running the configuration would tell. */
export const UNKNOWN = Symbol('unknown');

/** What can be told of a value in a configuration that is a program. */
export type ScriptValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof UNKNOWN
  | readonly ScriptValue[]
  | ScriptObject;

export interface ScriptObject {
  readonly entries: ReadonlyMap<string, ScriptValue>;
  /** True when it takes in something unknown, so that a key that is not here may still be set. */
  readonly isOpen: boolean;
}

export function isObject(value: ScriptValue): value is ScriptObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: ScriptValue): value is readonly ScriptValue[] {
  return Array.isArray(value);
}

/** The value at a path of keys: undefined where nothing is set, `UNKNOWN` where that cannot be told. */
export function valueAt(value: ScriptValue, ...keys: readonly string[]): ScriptValue {
  let found = value;
  for (const key of keys) {
    if (found === UNKNOWN) return UNKNOWN;
    if (!isObject(found)) return undefined;
    found = found.entries.has(key) ? found.entries.get(key) : found.isOpen ? UNKNOWN : undefined;
  }
  return found;
}

/** A text at a path of keys; undefined when it is not set, null when it cannot be told. */
export function textAt(value: ScriptValue, ...keys: readonly string[]): string | null | undefined {
  const found = valueAt(value, ...keys);
  if (found === undefined || found === null) return undefined;
  return typeof found === 'string' ? found : null;
}

/** The texts of a list; null when it cannot be told. */
export function textsOf(value: ScriptValue): readonly string[] | null {
  if (!isList(value)) return null;
  const texts = value.filter((one) => typeof one === 'string');
  return texts.length === value.length ? texts : null;
}
