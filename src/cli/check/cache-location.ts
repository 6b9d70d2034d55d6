import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import type { CacheLocation } from './cache-file.ts';

/** The location of the cache; null where nothing is cached, as in pipelines and when the program runs unbuilt. */
export function cacheLocation(env: Parameters<typeof cacheFolder>[0]): CacheLocation | null {
  const folder = cacheFolder(env);
  const digest = folder === null ? null : engineDigest();
  return folder === null || digest === null ? null : { folder: path.resolve(folder, 'facts'), digest };
}

/** The digest of the program's code, which the build writes next to it. */
function engineDigest(): string | null {
  try {
    return readFileSync(new URL('./engine.digest', import.meta.url), 'latin1').trim();
  } catch {
    return null;
  }
}
