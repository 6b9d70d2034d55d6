import type { RepoPath } from '../../model/index.ts';
import { type EvaluateOptions, openScript, type ReadCall } from './evaluate-script.ts';
import { ScriptPlaces } from './script-places.ts';
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
  options: Omit<EvaluateOptions, 'places'> = {},
): ScriptValue {
  const module = openScript(text, path, options);
  const value = module === null ? UNKNOWN : module.main();
  return value instanceof ScriptFunction ? value.result() : value;
}

/** What a configuration exports, and where in its text the texts of it stand. */
export interface PlacedConfig {
  /** `UNKNOWN` when it cannot be read. */
  readonly value: ScriptValue;
  readonly places: ScriptPlaces;
}

/** Reads like `readScriptConfig`, but one file alone, with the places of texts. */
export function readPlacedConfig(text: string, readCall?: ReadCall): PlacedConfig {
  const places = new ScriptPlaces();
  const options = { places, ...(readCall === undefined ? {} : { readCall }) };
  const module = openScript(text, '', options);
  return { value: module === null ? UNKNOWN : module.main(), places };
}

/** Reads everything that a module exports by name and by default, and what its functions return, with the places of texts. */
export function readPlacedExports(text: string): {
  readonly values: readonly ScriptValue[];
  readonly places: ScriptPlaces;
} {
  const places = new ScriptPlaces();
  const module = openScript(text, '', { places });
  const names = module?.exportedNames().slice(0, MAX_EXPORTS) ?? [];
  const values = names.map((name) => {
    const value = module?.exported(name);
    return value instanceof ScriptFunction && name !== 'default' ? value.result() : value;
  });
  return { values, places };
}
