import type { Logger } from './log.ts';

/** Closes parts in the reverse order of their opening. If one fails to close, the others are closed all the same. */
export class Teardown {
  readonly #log: Logger;
  readonly #parts: { name: string; close: () => Promise<unknown> }[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#parts.push({ name, close });
  }

  /** Closes everything once; a second call waits for the first. */
  run(): Promise<void> {
    this.#running ??= this.#closeAll();
    return this.#running;
  }

  async #closeAll(): Promise<void> {
    for (const { name, close } of this.#parts.reverse()) {
      try {
        await close();
      } catch (error) {
        this.#log.error({ err: error }, `Docloom could not close ${name} cleanly.`);
      }
    }
  }
}
