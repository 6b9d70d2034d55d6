import type { Oid } from '../../content/index.ts';
import { CatFile, localEnvironment } from '../../git/index.ts';
import { runLocalGit } from './run-git.ts';

/**
 * Files that a checkout left out, read from git's objects: they are part of the tree as git sees it. Nothing is
 * fetched, so in a partial clone some are unavailable.
 */
export class LeftOutFiles {
  readonly #root: string;
  readonly #signal: AbortSignal;
  #objects: Promise<CatFile | null> | null = null;
  /** Git answers in the order of the requests, so each request waits for the previous one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string, signal: AbortSignal) {
    this.#root = root;
    this.#signal = signal;
  }

  /** Null for an absent object. */
  read(oid: Oid): Promise<Uint8Array | null> {
    const reading = this.#last.then(() => this.#read(oid));
    this.#last = reading;
    return reading;
  }

  async #read(oid: Oid): Promise<Uint8Array | null> {
    this.#objects ??= this.#open();
    const objects = await this.#objects;
    if (objects === null) return null;
    objects.blockExit(true);
    try {
      for await (const object of objects.read([oid])) return object?.bytes ?? null;
    } catch {
      // Git exits where it would have to fetch; a new process may have the next object.
      objects.close();
      this.#objects = null;
    } finally {
      objects.blockExit(false);
    }
    return null;
  }

  async #open(): Promise<CatFile | null> {
    const { code, stdout } = await runLocalGit(this.#root, ['rev-parse', '--absolute-git-dir'], this.#signal);
    if (code !== 0) return null;
    return new CatFile({
      gitPath: 'git',
      env: { ...localEnvironment(stdout.trim()), GIT_NO_LAZY_FETCH: '1' },
    });
  }
}
