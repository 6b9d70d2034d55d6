import type { Readable } from 'node:stream';

/** Reads lines and runs of bytes from a stream, copying as little as possible. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Returns the next line without its line break, or null at the end of the stream. */
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

  /** Returns a copy of exactly this many bytes, or null when the stream ends first. */
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
