import fs from 'node:fs';
import git from 'isomorphic-git';
import type { ObjectReader, ObjectType, RawObject } from '../objects.ts';
import { GitError } from '../repository.ts';

/** A tree or commit of that size is no honest one. Whoever reads blobs has a limit of their own. */
const maxObjectBytes = 100 * 1024 * 1024;

/**
 * isomorphic-git as an object reader. Whole packs stay in memory while one is in use, so it lives for one
 * operation only.
 */
export class PackedObjects implements ObjectReader {
  readonly #gitdir: string;
  readonly #cache = {};

  constructor(gitdir: string) {
    this.#gitdir = gitdir;
  }

  async *read(oids: readonly string[]): AsyncIterable<RawObject | null> {
    for (const oid of oids) yield await this.#readOne(oid);
  }

  async #readOne(oid: string): Promise<RawObject | null> {
    let result: Awaited<ReturnType<typeof git.readObject>>;
    try {
      result = await git.readObject({ fs, gitdir: this.#gitdir, cache: this.#cache, oid, format: 'content' });
    } catch (error) {
      if ((error as { code?: unknown }).code === 'NotFoundError') return null;
      throw new GitError('git-failed', `The object ${oid} in the cache cannot be read; it may be damaged.`, {
        cause: error,
      });
    }
    const { buffer, byteOffset, byteLength } = result.object as Uint8Array;
    if (result.type !== 'blob' && byteLength > maxObjectBytes) {
      throw new GitError(
        'too-large',
        `The object ${oid} has ${byteLength} bytes; at most ${maxObjectBytes} are read here.`,
      );
    }
    return { oid, type: result.type as ObjectType, bytes: Buffer.from(buffer, byteOffset, byteLength) };
  }
}
