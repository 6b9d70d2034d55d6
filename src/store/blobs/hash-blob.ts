import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The git oid of the bytes, with the hash whose oids are as long as `like`. */
export function hashBytes(bytes: Uint8Array, like: string): string {
  return startHash(bytes.length, like).update(bytes).digest('hex');
}

/** The git oid of the bytes of a file, with the hash whose oids are as long as `like`. */
export async function hashFile(path: string, like: string): Promise<string> {
  const file = await open(path);
  try {
    return await hashOpenFile(file, (await file.stat()).size, like);
  } finally {
    await file.close();
  }
}

/** The same of a file that is open, and stays open. */
export async function hashOpenFile(file: FileHandle, size: number, like: string): Promise<string> {
  const hash = startHash(size, like);
  await pipeline(createReadStream('', { fd: file, start: 0, autoClose: false }), hash);
  return hash.digest('hex');
}

/** Git's objects begin with their kind and size (gitformat-loose, and Pro Git, section 10.2). */
function startHash(size: number, like: string) {
  return createHash(like.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
}
