import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The quality of Brotli above which each step costs more time than a page's fewer bytes are worth. */
const QUALITY = 5;
/** That of an answer to one request, of which somebody waits for the compression each time. */
const ONCE_QUALITY = 3;

/** A finished answer, as it is sent to everybody who may have it. */
export interface FinishedAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Weak, because it is the same for all encodings. */
  readonly etag: string;
  /** In the encodings in which it was made; see {@link bytesIn}. */
  readonly bytes: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** What belongs to this answer alone, such as `Link`. */
  readonly headers: Readonly<Record<string, string>>;
}

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

interface AnswerOptions extends Partial<Pick<FinishedAnswer, 'status' | 'contentType' | 'headers'>> {
  /** Of Brotli. */
  readonly quality?: number;
  /** The encoding of the only client that gets it; absent for an answer that is kept for all clients. */
  readonly onceIn?: Encoding | undefined;
}

/** Compresses an answer in each way that clients accept, or as one client does. */
export async function finishAnswer(
  text: string,
  {
    status = 200,
    contentType = 'text/html; charset=utf-8',
    headers = {},
    onceIn,
    quality = onceIn === undefined ? QUALITY : ONCE_QUALITY,
  }: AnswerOptions = {},
): Promise<FinishedAnswer> {
  const identity = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  // Hardly any client takes only what is not compressed, so that is not kept.
  const encodings = onceIn === undefined ? (['br', 'gzip'] as const) : [onceIn];
  const bytes = await Promise.all(
    encodings.map(async (encoding) => [encoding, await encode(identity, encoding, quality)] as const),
  );
  return { status, contentType, etag, headers, bytes: Object.fromEntries(bytes) };
}

async function encode(identity: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return identity;
  if (encoding === 'gzip') return await compressGzip(identity);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  return await compressBrotli(identity, { params });
}

/** @throws {Error} for an answer that was finished for a client with another encoding */
export function bytesIn({ bytes }: FinishedAnswer, encoding: Encoding): Buffer {
  const found = bytes[encoding];
  if (found !== undefined) return found;
  if (encoding === 'identity' && bytes.gzip !== undefined) return gunzipSync(bytes.gzip);
  throw new Error(`An answer that is sent as ${encoding} was not made so.`);
}

/**
 * Finished answers by keys that name everything that they were made from, so that none is ever out of date. What is being
 * made is made once, however many wait for it.
 */
export class FinishedAnswers {
  readonly #answers: LRUCache<string, FinishedAnswer, () => Promise<FinishedAnswer>>;

  /** @param maxBytes of all answers together */
  constructor(maxBytes: number) {
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 4,
      sizeCalculation: ({ bytes }, key) =>
        Object.values(bytes).reduce((size, { length }) => size + length, key.length + 1_500),
      fetchMethod: async (_key, _stale, { context }) => await context(),
      ignoreFetchAbort: true,
    });
  }

  async load(key: string, make: () => Promise<FinishedAnswer>): Promise<FinishedAnswer> {
    return this.#answers.get(key) ?? (await this.#answers.forceFetch(key, { context: make }));
  }
}
