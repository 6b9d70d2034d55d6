import type { ObjectReader, ObjectType, RawObject } from '../objects.ts';
import { GitError } from '../repository.ts';
import { ByteReader } from './byte-reader.ts';
import { GitProcess } from './git-process.ts';

/** GitHub takes no larger file; a tree or commit of that size is no honest one. */
export const maxObjectBytes = 100 * 1024 * 1024;

/** Objects asked for at once, so that the process is never far behind what it was asked, nor ever idle. */
const requestedAtOnce = 512;

export interface CatFileOptions {
  readonly gitPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `git cat-file --batch` as an object reader, kept running until it is closed, so that a walk of a tree starts one process. */
export class CatFile implements ObjectReader {
  readonly #process: GitProcess;
  readonly #input: ByteReader;
  /** Answers that were asked for and not read yet. */
  #pending = 0;
  #hasEnded = false;

  constructor({ gitPath, env }: CatFileOptions, args: readonly string[] = ['cat-file', '--batch']) {
    this.#process = new GitProcess({ gitPath, env, args });
    this.#input = new ByteReader(this.#process.stdout);
    const end = () => {
      this.#hasEnded = true;
    };
    this.#process.exit.then(end, end);
  }

  /** Whether it runs and owes no answer, so that somebody else may ask it. */
  get isFree(): boolean {
    return !this.#hasEnded && this.#pending === 0;
  }

  async *read(oids: readonly string[]): AsyncIterable<RawObject | null> {
    for (let at = 0; at < oids.length; at += requestedAtOnce) {
      const some = oids.slice(at, at + requestedAtOnce);
      this.#pending += some.length;
      this.write(this.ask(some));
      for (const oid of some) yield await this.#readOne(oid);
    }
  }

  close(): void {
    this.#hasEnded = true;
    this.#process.kill();
  }

  /** Whether this process waits for it before it ends by itself. */
  holdProcess(isHeld: boolean): void {
    this.#process.holdParent(isHeld);
  }

  protected ask(oids: readonly string[]): string {
    return `${oids.join('\n')}\n`;
  }

  protected write(text: string): void {
    this.#process.stdin.write(text);
  }

  /** The head of the next answer: `<oid> <type> <size>`, or `<oid> missing`. */
  protected async readHead(): Promise<readonly [oid: string, type: string, size: string | undefined]> {
    const line = await this.#input.line();
    if (line === null) throw await this.#died();
    const [oid = '', type = '', size] = line.split(' ');
    return [oid, type, size];
  }

  protected expect(answers: number): void {
    this.#pending += answers;
  }

  async #readOne(asked: string): Promise<RawObject | null> {
    const [oid, type, size] = await this.readHead();
    if (type === 'missing' || size === undefined) {
      this.#pending -= 1;
      return null;
    }
    if (Number(size) > maxObjectBytes) {
      this.close();
      throw new GitError(
        'too-large',
        `The object ${asked} has ${size} bytes; at most ${maxObjectBytes} are read here.`,
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
      `git could not read the cached repository: ${stderr.trim() || 'it ended early'}.`,
    );
  }
}
