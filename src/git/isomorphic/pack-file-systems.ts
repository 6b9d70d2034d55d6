import fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PromiseFsClient } from 'isomorphic-git';

/** Names in the order in which packs came. They sort behind those that git gives, which go on with hexadecimal digits. */
const NUMBERED = /^pack-n(\d{9})-/;

/** The rest of the path of an object that has a file of its own. */
const LOOSE = /^.[0-9a-f]{2}.[0-9a-f]{38}$/;

/**
 * The file system for one fetch, which numbers the names of its packs.
 *
 * A thin pack may hold an object as its difference from one that the repository has, and the pack of that one may hold it as
 * its difference from the first: a file that is changed and changed back is enough. isomorphic-git takes an object from the
 * first pack by name that has it, and reads such a pair for ever where their hashes stand the wrong way round. In the oldest
 * pack that has an object, what it differs from is in the same pack or in an older one.
 */
export function numberPacks(gitdir: string): PromiseFsClient {
  const folder = join(gitdir, 'objects', 'pack');
  let prefix: string | undefined;
  const writeFile = async (path: string, ...rest: [Uint8Array]) => {
    if (dirname(path) !== folder || !basename(path).startsWith('pack-')) return fs.writeFile(path, ...rest);
    prefix ??= `pack-n${String((await lastNumber(folder)) + 1).padStart(9, '0')}-`;
    return fs.writeFile(join(folder, basename(path).replace('pack-', prefix)), ...rest);
  };
  return { promises: { ...fs, writeFile } };
}

/**
 * The file system for reading objects in one operation: all of them are in packs, and isomorphic-git otherwise looks for a
 * file of each, and for new packs each time, which costs more than reading.
 */
export function readOnlyPacks(gitdir: string): PromiseFsClient {
  const folder = join(gitdir, 'objects', 'pack');
  const objects = join(gitdir, 'objects');
  const isLoose = (path: string) => path.startsWith(objects) && LOOSE.test(path.slice(objects.length));
  let packs: Promise<string[]> | undefined;
  const readFile = async (path: string, options?: undefined) => {
    if (isLoose(path)) throw Object.assign(new Error(`There is no ${path}.`), { code: 'ENOENT' });
    return fs.readFile(path, options);
  };
  const readdir = async (path: string) => {
    if (path !== folder) return fs.readdir(path);
    packs ??= fs.readdir(path);
    return [...(await packs)];
  };
  return { promises: { ...fs, readFile, readdir } };
}

async function lastNumber(folder: string): Promise<number> {
  const numbers = (await fs.readdir(folder)).map((name) => Number(NUMBERED.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}
