import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import type { KeptPlace } from './kept-file.ts';

/** Where what was found out is kept between runs; null where they are not, as in pipelines and when the program runs unbuilt. */
export function keptPlace(env: Parameters<typeof cacheFolder>[0]): KeptPlace | null {
  const folder = cacheFolder(env);
  const digest = folder === null ? null : engineDigest();
  return folder === null || digest === null ? null : { folder: path.resolve(folder, 'facts'), digest };
}

/** The digest of the program's code, which the build puts beside it. */
function engineDigest(): string | null {
  try {
    return readFileSync(new URL('./engine.digest', import.meta.url), 'latin1').trim();
  } catch {
    return null;
  }
}
