import { open, readFile, rename } from 'node:fs/promises';

/**
 * A JSON document on disk that is replaced atomically: a reader, or a start after a crash, sees the old or the new document.
 * Calls of `save` during a write share the next write.
 */
export class JsonFile<T> {
  readonly #path: string;
  readonly #value: () => T;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** `value` is called when the file is written, so a shared write has the newest state. */
  constructor(path: string, value: () => T) {
    this.#path = path;
    this.#value = value;
  }

  /** Resolves when the state at the time of the call is on disk. */
  save(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        this.#running = this.#write();
        return this.#running;
      });
    return this.#next;
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(this.#value()));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
  }
}

/** Reads a JSON document, or returns `fallback` when the file does not exist yet. */
export async function readJsonFile<T>(path: string, fallback: T): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error(
      `${path} is not valid JSON. Remove the file, or its folder, to start with an empty sandbox.`,
      {
        cause,
      },
    );
  }
}
