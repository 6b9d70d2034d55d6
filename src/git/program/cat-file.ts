import type { Readable } from 'node:stream';
import type { ObjectReader, ObjectType, RawObject } from '../objects.ts';
import { GitError } from '../repository.ts';
import { GitProcess } from './git-process.ts';

/** GitHub takes no larger file; a tree or commit of that size is no honest one. */
export const maxObjectBytes = 100 * 1024 * 1024;

export interface CatFileOptions {
  readonly gitPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * `git cat-file --batch` as an object reader, kept running until it is closed, so that a walk of a tree
 * starts one process.
 */
export class CatFile implements ObjectReader {
  readonly #process: GitProcess;
  readonly #input: ByteReader;

  constructor({ gitPath, env }: CatFileOptions) {
    this.#process = new GitProcess({ gitPath, env, args: ['cat-file', '--batch'] });
    this.#input = new ByteReader(this.#process.stdout);
  }

  async *read(oids: readonly string[]): AsyncIterable<RawObject | null> {
    // In pieces, so that the process is never far behind what it was asked, nor ever idle.
    for (let at = 0; at < oids.length; at += 512) {
      const some = oids.slice(at, at + 512);
      this.#process.stdin.write(`${some.join('\n')}\n`);
      for (const oid of some) yield await this.#readOne(oid);
    }
  }

  close(): void {
    this.#process.kill();
  }

  async #readOne(asked: string): Promise<RawObject | null> {
    const line = await this.#input.line();
    if (line === null) throw await this.#died();
    const [oid = '', type, size] = line.split(' ');
    if (type === 'missing' || size === undefined) return null;
    if (Number(size) > maxObjectBytes) {
      this.#process.kill();
      throw new GitError(
        'too-large',
        `The object ${asked} has ${size} bytes; at most ${maxObjectBytes} are read here.`,
      );
    }
    const bytes = await this.#input.bytes(Number(size) + 1);
    if (bytes === null) throw await this.#died();
    return { oid, type: type as ObjectType, bytes: bytes.subarray(0, -1) };
  }

  async #died(): Promise<GitError> {
    const { stderr } = await this.#process.exit;
    return new GitError(
      'git-failed',
      `git could not read the cached repository: ${stderr.trim() || 'it ended early'}.`,
    );
  }
}

/** Takes lines and runs of bytes from a stream, copying as little as it can. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next line without its end, or null at the end of the stream. */
  async line(): Promise<string | null> {
    let end = this.#buffer.indexOf(0x0a);
    while (end < 0) {
      const chunk = await this.#next();
      if (!chunk) return null;
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      end = this.#buffer.indexOf(0x0a);
    }
    const line = this.#buffer.toString('latin1', 0, end);
    this.#buffer = this.#buffer.subarray(end + 1);
    return line;
  }

  /** Exactly so many bytes, in memory of their own, or null when the stream ends before. */
  async bytes(count: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > this.#buffer.length) {
      parts.push(this.#buffer);
      missing -= this.#buffer.length;
      const chunk = await this.#next();
      if (!chunk) return null;
      this.#buffer = chunk;
    }
    parts.push(this.#buffer.subarray(0, missing));
    this.#buffer = this.#buffer.subarray(missing);
    return Buffer.concat(parts, count);
  }

  async #next(): Promise<Buffer | null> {
    const { done, value } = await this.#chunks.next();
    return done ? null : value;
  }
}
