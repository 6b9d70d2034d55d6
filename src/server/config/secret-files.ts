import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Environment } from './settings.ts';

/** What ends the name of a variable that has the path of a file with the secret, instead of the secret. */
const SUFFIX = '_FILE';

/** A secret, or what is wrong with the variables that give it; `name` is the variable to blame. */
export type SecretReading =
  | { readonly value: string | undefined }
  | { readonly name: string; readonly problem: string };

/**
 * Reads a secret from its variable `NAME`, or from the file that `NAME_FILE` names, without its last line break. Nothing
 * of a value that may be the secret itself is in a problem: only an absolute path is repeated.
 */
export function readSecret(env: Environment, name: string): SecretReading {
  const variable = name + SUFFIX;
  const path = env[variable]?.trim() ?? '';
  if (path === '') return { value: env[name] };
  if ((env[name]?.trim() ?? '') !== '')
    return { name, problem: `and ${variable} are both set: remove one of them` };
  if (!isAbsolute(path))
    return { name: variable, problem: 'must be the absolute path of a file that contains the secret' };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {
      name: variable,
      problem: `names ${path}, which cannot be read: check the path and its permissions`,
    };
  }
  if (text.trim() === '')
    return { name: variable, problem: `names ${path}, which is empty: write the secret into it` };
  return { value: text.replace(/\r?\n$/, '') };
}

/**
 * The names of the secrets with a prefix that an environment gives, by value or by file. One that ends with `_FILE` and
 * has no absolute path is a secret of that name.
 */
export function listSecrets(env: Environment, prefix: string): readonly string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(prefix));
  const bare = names.map((name) =>
    name.endsWith(SUFFIX) &&
    name.length > prefix.length + SUFFIX.length &&
    isAbsolute(env[name]?.trim() ?? '')
      ? name.slice(0, -SUFFIX.length)
      : name,
  );
  return [...new Set(bare)];
}
