import { createHash } from 'node:crypto';
import type { ReadValues } from '../../content/index.ts';

type Values = Awaited<ReturnType<ReadValues>>;

/** What an import asks for several times are a few configurations of 1 MB at most. In UTF-16 code units. */
const MAX_LENGTH = 2 * 1024 * 1024;
/** An import asks again within seconds. In ms. */
const KEPT_MS = 30_000;

interface Recent {
  readonly length: number;
  readonly values: Promise<Values>;
  readonly timer: NodeJS.Timeout;
}

/** The values of large texts, each read once while it is asked for again and again, also by several at the same time. */
export class RecentValues {
  readonly #recent = new Map<string, Recent>();
  #length = 0;

  /** The values of a text; `read` reads them where they are not known. What could not be read is not kept. */
  async of(text: string, language: Parameters<ReadValues>[1], read: () => Promise<Values>): Promise<Values> {
    const key = `${language} ${createHash('sha256').update(text).digest('base64')}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return await known.values;
    const values = read();
    const timer = setTimeout(() => this.#forget(key), KEPT_MS).unref();
    this.#recent.set(key, { length: text.length, values, timer });
    this.#length += text.length;
    for (const oldest of this.#recent.keys()) {
      if (this.#length <= MAX_LENGTH || oldest === key) break;
      this.#forget(oldest);
    }
    try {
      return await values;
    } catch (error) {
      if (this.#recent.get(key)?.values === values) this.#forget(key);
      throw error;
    }
  }

  #forget(key: string): void {
    const recent = this.#recent.get(key);
    if (recent === undefined) return;
    clearTimeout(recent.timer);
    this.#recent.delete(key);
    this.#length -= recent.length;
  }
}
