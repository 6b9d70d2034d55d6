import type { FileHandle } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { hashOpenFile } from './hash-blob.ts';

/** How many files are remembered; comparing one anew costs a tenth of a second for 100 MB. */
const MAX_FILES = 20_000;

/**
 * Which files of a folder have the bytes that their oid says. Disks lose bytes, and a machine that loses its power may
 * leave a file empty that had its name already; so this process compares each file before it first reads it, and again
 * once it was changed.
 */
export class ComparedFiles {
  readonly #states = new LRUCache<string, string>({ max: MAX_FILES });
  readonly #timesMatter: boolean;

  /** @param timesMatter whether a new time of a file means that it was changed; false where times say when it was used */
  constructor({ timesMatter }: { readonly timesMatter: boolean }) {
    this.#timesMatter = timesMatter;
  }

  /** Its size in bytes; null when its bytes are not those of the oid. */
  async compare(oid: string, file: FileHandle): Promise<number | null> {
    const { ino, size, mtimeMs } = await file.stat();
    const state = `${ino} ${size} ${this.#timesMatter ? mtimeMs : ''}`;
    if (this.#states.get(oid) === state) return size;
    if ((await hashOpenFile(file, size, oid)) !== oid) return null;
    this.#states.set(oid, state);
    return size;
  }
}
