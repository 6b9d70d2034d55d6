import { ScriptPlaces } from './script-places.ts';
import { ScriptScanner } from './script-scanner.ts';
import { isObject, type ScriptObject, type ScriptValue, UNKNOWN } from './script-value.ts';

/** Answers the text of a module that a configuration imports by a relative path; null when it cannot be had. */
export type ImportText = (specifier: string) => string | null;

/** A configuration may take values from modules this deep. */
const MAX_DEPTH = 4;

/** Exports of one module that are read. */
const MAX_EXPORTS = 200;

/** Constants may name each other this deep. */
const MAX_LOOK_UPS = 40;

/** `function name() { return …` and `const name = () => …`, with types, up to where the answer begins. */
const ANSWERS =
  /^[ \t]*(?:export\s+)?(?:function\s+([A-Za-z_$][\w$]*)\s*\(\s*\)\s*(?::[^={}()\n]{1,200})?\{\s*return\s+|(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*\(\s*\)\s*(?::[^={}()\n]{1,200})?=>\s*(?:\{\s*return\s+)?(?=[[({]))/gm;

/**
 * Reads the object that a configuration in JavaScript or TypeScript exports, from its text alone: nothing is run. Literals,
 * constants and functions without parameters of the file and of modules beside it, spreads and `defineConfig(…)` are
 * understood; every other value is `UNKNOWN`. Null when the export is no object that can be read, such as a function.
 */
export function readScriptConfig(text: string, importText: ImportText = () => null): ScriptObject | null {
  const value = new Module(text, importText, 0).read('default');
  return isObject(value) ? value : null;
}

/** What a configuration exports, an object or a list, and where in its text the texts of it stand. */
export interface PlacedConfig {
  /** `UNKNOWN` when it cannot be read. */
  readonly value: ScriptValue;
  readonly places: ScriptPlaces;
}

/** Reads like `readScriptConfig`, but one file alone, which may be JSON too, and keeps where texts stand. */
export function readPlacedConfig(text: string): PlacedConfig {
  const places = new ScriptPlaces();
  const isJson = /^\s*[{[]/.test(text);
  const value = isJson
    ? new ScriptScanner(text, 0, () => UNKNOWN, places).value()
    : new Module(text, () => null, 0, places).read('default');
  return { value, places };
}

/** Reads everything that a module exports by name and by default, and keeps where texts stand. */
export function readPlacedExports(text: string): {
  readonly values: readonly ScriptValue[];
  readonly places: ScriptPlaces;
} {
  const places = new ScriptPlaces();
  const module = new Module(text, () => null, 0, places);
  return { values: module.exports(), places };
}

/** One file of configuration, and the names it knows. */
class Module {
  readonly #text: string;
  readonly #importText: ImportText;
  readonly #depth: number;
  readonly #constants = new Map<string, number>();
  /** Functions without parameters that answer one expression → where it begins. */
  readonly #answers = new Map<string, number>();
  readonly #imports = new Map<string, { readonly name: string; readonly specifier: string }>();
  readonly #known = new Map<string, ScriptValue>();
  readonly #places: ScriptPlaces | undefined;
  #looking = 0;

  constructor(
    text: string,
    importText: ImportText,
    depth: number,
    places: ScriptPlaces | undefined = undefined,
  ) {
    this.#text = text;
    this.#importText = importText;
    this.#depth = depth;
    this.#places = places;
    const declarations =
      /^[ \t]*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]*(?:\n[^=\n]*){0,4})?=(?![=>])/gm;
    for (const match of text.matchAll(declarations)) {
      if (!this.#constants.has(match[1] ?? ''))
        this.#constants.set(match[1] ?? '', match.index + match[0].length);
    }
    for (const match of text.matchAll(ANSWERS)) {
      const name = match[1] ?? match[2] ?? '';
      if (!this.#answers.has(name)) this.#answers.set(name, match.index + match[0].length);
    }
    for (const match of text.matchAll(
      /^[ \t]*import\s{1,9}([^'";]{1,2000}?)\s{1,9}from\s{0,9}['"](\.[^'"\n]+)['"]/gm,
    )) {
      this.#readImports(match[1] ?? '', match[2] ?? '');
    }
  }

  read(name: string): ScriptValue {
    if (name !== 'default') return this.#lookUp(name);
    const found = /(?:^|\n|;)[ \t]*(?:export\s+default|module\.exports\s*=(?!=)|export\s*=)\s*/.exec(
      this.#text,
    );
    return found === null ? UNKNOWN : this.#valueAt(found.index + found[0].length);
  }

  exports(): readonly ScriptValue[] {
    const named = [...this.#text.matchAll(/^[ \t]*export\s+(const|let|var|function)\s+([A-Za-z_$][\w$]*)/gm)];
    const names = named.slice(0, MAX_EXPORTS).flatMap(([, , name = '']) => [name, `${name}()`]);
    return ['default', ...names].map((name) => this.read(name));
  }

  #valueAt(at: number): ScriptValue {
    return new ScriptScanner(this.#text, at, (name) => this.#lookUp(name), this.#places).value();
  }

  #lookUp(name: string): ScriptValue {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#known.set(name, UNKNOWN); // A constant that names itself ends here.
    if (this.#looking >= MAX_LOOK_UPS) return UNKNOWN;
    this.#looking += 1;
    const at = name.endsWith('()') ? this.#answers.get(name.slice(0, -2)) : this.#constants.get(name);
    const value = at === undefined ? this.#readImported(name) : this.#valueAt(at);
    this.#looking -= 1;
    this.#known.set(name, value);
    return value;
  }

  #readImported(local: string): ScriptValue {
    const isCall = local.endsWith('()');
    const found = this.#imports.get(isCall ? local.slice(0, -2) : local);
    if (found === undefined || this.#depth >= MAX_DEPTH) return UNKNOWN;
    const text = this.#importText(found.specifier);
    // Specifiers of modules further down are relative to their own folders, which only one level can be told of.
    return text === null
      ? UNKNOWN
      : new Module(text, () => null, this.#depth + 1).read(found.name + (isCall ? '()' : ''));
  }

  #readImports(clause: string, specifier: string): void {
    const braces = /\{([^}]*)\}/.exec(clause);
    for (const part of braces?.[1]?.split(',') ?? []) {
      const [, name, local] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? [];
      if (name !== undefined) this.#imports.set(local ?? name, { name, specifier });
    }
    const whole = /^\s*([A-Za-z_$][\w$]*)\s*(?:,|$)/.exec(clause)?.[1];
    if (whole !== undefined && whole !== 'type') this.#imports.set(whole, { name: 'default', specifier });
  }
}
