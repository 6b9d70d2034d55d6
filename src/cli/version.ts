import { readFileSync } from 'node:fs';

/** The version that `package.json` names. */
export function docloomVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
