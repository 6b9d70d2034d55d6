/** The limit for all answers together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A larger answer would evict too many smaller ones. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Answers as they were sent, by their `ETag`, so that the answer to a repeated request, such as for the tree of a large
 * space, need not be read and serialized again. The least recently used are evicted first.
 */
export class AnswerCache {
  readonly #answers = new Map<string, string>();
  #bytes = 0;

  get(etag: string): string | undefined {
    const found = this.#answers.get(etag);
    if (found === undefined) return undefined;
    this.#answers.delete(etag);
    this.#answers.set(etag, found);
    return found;
  }

  set(etag: string, answer: string): void {
    if (answer.length > MAX_ANSWER_BYTES || this.#answers.has(etag)) return;
    this.#answers.set(etag, answer);
    this.#bytes += answer.length;
    for (const [oldest, { length }] of this.#answers) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#answers.delete(oldest);
      this.#bytes -= length;
    }
  }
}
