import type { RepoPath } from '../../model/index.ts';
import { openScript, type ReadCall, type ScriptOptions } from './evaluate-script.ts';
import { ScriptPositions } from './script-positions.ts';
import { ScriptFunction, type ScriptValue, UNKNOWN } from './script-value.ts';

/** Exports of one module beyond this number are ignored. */
const MAX_EXPORTS = 200;

/**
 * Reads the default export of a configuration in JavaScript, TypeScript or JSON from its text: nothing is run. Constants
 * are known, also those of modules that `readImport` returns, and so are the results of an exported function without
 * parameters; everything else is `UNKNOWN`.
 */
export function readScriptConfig(
  text: string,
  path: RepoPath,
  options: Omit<ScriptOptions, 'positions'> = {},
): ScriptValue {
  const module = openScript(text, path, options);
  const value = module === null ? UNKNOWN : module.main();
  return value instanceof ScriptFunction ? value.result() : value;
}

/** The default export of a configuration, and the positions of its texts in the source. */
export interface LocatedConfig {
  /** `UNKNOWN` when it cannot be read. */
  readonly value: ScriptValue;
  readonly positions: ScriptPositions;
}

/** Like `readScriptConfig`, but reads a single file, with the positions of texts. */
export function readConfigWithPositions(text: string, readCall?: ReadCall): LocatedConfig {
  const positions = new ScriptPositions();
  const options = { positions, ...(readCall === undefined ? {} : { readCall }) };
  const module = openScript(text, '', options);
  return { value: module === null ? UNKNOWN : module.main(), positions };
}

/** Reads all exports of a module, and the results of exported functions, with the positions of texts. */
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
