import type { ObjectReader, ObjectType, RawObject } from '../objects.ts';
import { GitError } from '../repository.ts';
import { ByteReader } from './byte-reader.ts';
import { GitProcess } from './git-process.ts';

/** GitHub accepts no larger file; no real tree or commit is this large. */
export const maxObjectBytes = 100 * 1024 * 1024;

/** Objects requested at once, so that the process is neither flooded with requests nor ever idle. */
const requestedAtOnce = 512;

export interface CatFileOptions {
  readonly gitPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `git cat-file --batch` as an object reader, running until it is closed, so that a tree walk starts one process. */
export class CatFile implements ObjectReader {
  readonly #process: GitProcess;
  readonly #input: ByteReader;
  /** Requested responses that have not been read yet. */
  #pending = 0;
  #hasExited = false;

  constructor({ gitPath, env }: CatFileOptions, args: readonly string[] = ['cat-file', '--batch']) {
    this.#process = new GitProcess({ gitPath, env, args });
    this.#input = new ByteReader(this.#process.stdout);
    const onExit = () => {
      this.#hasExited = true;
    };
    this.#process.exit.then(onExit, onExit);
  }

  /** Whether it runs and has no unread responses, so that another caller may use it. */
  get isFree(): boolean {
    return !this.#hasExited && this.#pending === 0;
  }

  async *read(oids: readonly string[]): AsyncIterable<RawObject | null> {
    for (let at = 0; at < oids.length; at += requestedAtOnce) {
      const batch = oids.slice(at, at + requestedAtOnce);
      this.#pending += batch.length;
      this.write(this.requestFor(batch));
      for (const oid of batch) yield await this.#read(oid);
    }
  }

  close(): void {
    this.#hasExited = true;
    this.#process.kill();
  }

  /** Whether our own process waits for this one before it exits. */
  blockExit(blocks: boolean): void {
    this.#process.blockParentExit(blocks);
  }

  protected requestFor(oids: readonly string[]): string {
    return `${oids.join('\n')}\n`;
  }

  protected write(text: string): void {
    this.#process.stdin.write(text);
  }

  /** The header of the next response: `<oid> <type> <size>`, or `<oid> missing`. */
  protected async readHead(): Promise<readonly [oid: string, type: string, size: string | undefined]> {
    const line = await this.#input.line();
    if (line === null) throw await this.#died();
    const [oid = '', type = '', size] = line.split(' ');
    return [oid, type, size];
  }

  protected expect(responses: number): void {
    this.#pending += responses;
  }

  async #read(requested: string): Promise<RawObject | null> {
    const [oid, type, size] = await this.readHead();
    if (type === 'missing' || size === undefined) {
      this.#pending -= 1;
      return null;
    }
    if (Number(size) > maxObjectBytes) {
      this.close();
      throw new GitError(
        'too-large',
        `The object ${requested} has ${size} bytes; at most ${maxObjectBytes} are read here.`,
      );
    }
    const bytes = await this.#input.bytes(Number(size) + 1);
    if (bytes === null) throw await this.#died();
    this.#pending -= 1;
    return { oid, type: type as ObjectType, bytes: bytes.subarray(0, -1) };
  }

  async #died(): Promise<GitError> {
    const { stderr } = await this.#process.exit;
    return new GitError(
      'git-failed',
      `git could not read the cached repository: ${stderr.trim() || 'it exited early'}.`,
    );
  }
}
