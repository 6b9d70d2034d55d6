/** A value that can be known only by running the configuration. */
export const UNKNOWN = Symbol('unknown');

/** What is known of a value in a configuration that is a program. */
export type ScriptValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof UNKNOWN
  | ScriptPattern
  | ScriptFunction
  | readonly ScriptValue[]
  | ScriptObject;

export interface ScriptObject {
  readonly entries: ReadonlyMap<string, ScriptValue>;
  /** Whether it contains something unknown, so that further keys may be set. */
  readonly isOpen: boolean;
}

/** A regular expression literal. */
export class ScriptPattern {
  readonly source: string;
  readonly flags: string;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }
}

/** A function in the script. */
export class ScriptFunction {
  readonly text: string;
  readonly #result: () => ScriptValue;
  readonly #call: (values: readonly ScriptValue[]) => ScriptValue;

  constructor(
    text: string,
    result: () => ScriptValue,
    call: (values: readonly ScriptValue[]) => ScriptValue = () => UNKNOWN,
  ) {
    this.text = text;
    this.#result = result;
    this.#call = call;
  }

  /** The value that it returns for arguments; `UNKNOWN` unless that is an expression of them and of constants. */
  call(values: readonly ScriptValue[]): ScriptValue {
    return values.length === 0 ? this.#result() : this.#call(values);
  }

  /** The value that it returns without arguments, awaited; `UNKNOWN` unless it is constant. */
  result(): ScriptValue {
    return this.#result();
  }
}

export function isScriptObject(value: ScriptValue): value is ScriptObject {
  return typeof value === 'object' && value !== null && 'entries' in value && !Array.isArray(value);
}

export function isList(value: ScriptValue): value is readonly ScriptValue[] {
  return Array.isArray(value);
}

/** The value at a path of keys; undefined when it is not set, `UNKNOWN` when that is not known. */
export function settingAt(value: ScriptValue, ...keys: readonly string[]): ScriptValue {
  let found = value;
  for (const key of keys) {
    if (found === UNKNOWN || found instanceof ScriptFunction) return UNKNOWN;
    if (!isScriptObject(found)) return undefined;
    found = found.entries.has(key) ? found.entries.get(key) : found.isOpen ? UNKNOWN : undefined;
  }
  return found;
}

/** A text at a path of keys; undefined when it is not set, null when it is not known. */
export function textAt(value: ScriptValue, ...keys: readonly string[]): string | null | undefined {
  const found = settingAt(value, ...keys);
  if (found === undefined || found === null) return undefined;
  return typeof found === 'string' ? found : null;
}

/** The texts of a list; null when they are not known. */
export function textsOf(value: ScriptValue): readonly string[] | null {
  if (!isList(value)) return null;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts : null;
}

/** Whether a value is not known, or is a function, whose result depends on its arguments. */
export function isUnknown(value: ScriptValue): boolean {
  return value === UNKNOWN || value instanceof ScriptFunction;
}
