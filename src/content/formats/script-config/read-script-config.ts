import type { RepoPath } from '../../model/index.ts';
import { openScript, type ReadCall, type ScriptOptions } from './evaluate-script.ts';
import { ScriptPositions } from './script-positions.ts';
import { ScriptFunction, type ScriptValue, UNKNOWN } from './script-value.ts';

/** Exports of one module that are read. */
const MAX_EXPORTS = 200;

/**
 * What a configuration in JavaScript, TypeScript or JSON exports by default, from its text alone: nothing is run. Known
 * are constants, also of modules that `readImport` hands over, and what an exported function without parameters returns;
 * all else is `UNKNOWN`.
 */
export function readScriptConfig(
  text: string,
  path: RepoPath,
  options: Omit<ScriptOptions, 'places'> = {},
): ScriptValue {
  const module = openScript(text, path, options);
  const value = module === null ? UNKNOWN : module.main();
  return value instanceof ScriptFunction ? value.result() : value;
}

/** What a configuration exports, and the positions of its texts in the source. */
export interface LocatedConfig {
  /** `UNKNOWN` when it cannot be read. */
  readonly value: ScriptValue;
  readonly positions: ScriptPositions;
}

/** Reads like `readScriptConfig`, but one file alone, with the positions of texts. */
export function readConfigWithPositions(text: string, readCall?: ReadCall): LocatedConfig {
  const positions = new ScriptPositions();
  const options = { positions, ...(readCall === undefined ? {} : { readCall }) };
  const module = openScript(text, '', options);
  return { value: module === null ? UNKNOWN : module.main(), positions };
}

/** Reads everything that a module exports by name and by default, and what its functions return, with the positions of texts. */
export function readExportsWithPositions(text: string): {
  readonly values: readonly ScriptValue[];
  readonly positions: ScriptPositions;
} {
  const positions = new ScriptPositions();
  const module = openScript(text, '', { positions });
  const names = module?.exportedNames().slice(0, MAX_EXPORTS) ?? [];
  const values = names.map((name) => {
    const value = module?.exported(name);
    return value instanceof ScriptFunction && name !== 'default' ? value.result() : value;
  });
  return { values, positions };
}
