import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

/** Larger objects are left to git. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface LooseObject {
  readonly type: string;
  readonly content: Buffer;
}

/**
 * Reads an object that is a separate file, as after a small push (gitrepository-layout(5)), in a fraction of the time that
 * starting git takes. Null for an object that is packed, damaged, very large or absent; git distinguishes these.
 */
export async function readLooseObject(gitDir: string, oid: string): Promise<LooseObject | null> {
  if (!/^[0-9a-f]{40}$/.test(oid)) return null;
  try {
    const packed = await readFile(`${gitDir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`);
    const bytes = await promisify(inflate)(packed, { maxOutputLength: MAX_BYTES });
    const end = bytes.indexOf(0);
    const [type = '', size] = bytes.toString('latin1', 0, end).split(' ');
    const content = bytes.subarray(end + 1);
    return end > 0 && Number(size) === content.length ? { type, content } : null;
  } catch {
    return null;
  }
}

/** Writes an object as git would, and returns its oid. `content` is in git's own format, which is not checked. */
export async function writeLooseObject(gitDir: string, type: string, content: Buffer): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const oid = createHash('sha1').update(bytes).digest('hex');
  const folder = `${gitDir}/objects/${oid.slice(0, 2)}`;
  await mkdir(folder, { recursive: true });
  // Renamed into place, so that concurrent readers see the whole file; an existing one has the same bytes.
  const draft = `${gitDir}/objects/tmp_obj_${randomUUID()}`;
  await writeFile(draft, await promisify(deflate)(bytes), { mode: 0o444 });
  await rename(draft, `${folder}/${oid.slice(2)}`);
  return oid;
}
