import type { Readable } from 'node:stream';

/** What is hashed of all bodies before other requests get their turn: less than a millisecond of work. */
const TURN_BYTES = 256 * 1024;
/** As much as Node.js reads of a connection at once. */
const CHUNK_BYTES = 64 * 1024;

/** Streams that are read in turns: between two turns everything else that the process has to do comes first. */
export class ReadTurns {
  readonly #waiting = new Set<Readable>();
  #left = TURN_BYTES;
  #isNextDue = false;

  /** Counts what was done with a chunk of a stream, in bytes; the stream pauses until its next turn when this one is used up. */
  spend(stream: Readable, bytes: number): void {
    this.#left -= bytes;
    if (this.#left <= 0) this.#waiting.add(stream.pause());
    this.#plan();
  }

  /** Forgets a stream that is not read any more. */
  leave(stream: Readable): void {
    this.#waiting.delete(stream);
  }

  #plan(): void {
    if (this.#isNextDue) return;
    this.#isNextDue = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isNextDue = false;
    this.#left = TURN_BYTES;
    for (const stream of [...this.#waiting].slice(0, TURN_BYTES / CHUNK_BYTES)) {
      this.#waiting.delete(stream);
      stream.resume();
    }
    if (this.#waiting.size > 0) this.#plan();
  }
}
