import git, { type PromiseFsClient } from 'isomorphic-git';
import type { ObjectReader, ObjectType, RawObject } from '../objects.ts';
import { GitError } from '../repository.ts';
import { readOnlyPacks } from './pack-file-systems.ts';

/** No real tree or commit is this large. Readers of blobs have their own limit. */
const maxObjectBytes = 100 * 1024 * 1024;

/**
 * isomorphic-git as an object reader. It loads whole packs into memory while it is in use, so it is for a single
 * operation.
 */
export class PackedObjects implements ObjectReader {
  readonly #gitdir: string;
  readonly #cache = {};
  readonly #fs: PromiseFsClient;

  constructor(gitdir: string) {
    this.#gitdir = gitdir;
    this.#fs = readOnlyPacks(gitdir);
  }

  async *read(oids: readonly string[]): AsyncIterable<RawObject | null> {
    for (const oid of oids) yield await this.#read(oid);
  }

  async #read(oid: string): Promise<RawObject | null> {
    let result: Awaited<ReturnType<typeof git.readObject>>;
    try {
      result = await git.readObject({
        fs: this.#fs,
        gitdir: this.#gitdir,
        cache: this.#cache,
        oid,
        format: 'content',
      });
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
