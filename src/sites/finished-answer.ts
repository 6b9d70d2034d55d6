import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The quality of Brotli above which each step costs more time than a page's fewer bytes are worth. */
const QUALITY = 5;

/** A finished answer, as it is sent to everybody who may have it. */
export interface FinishedAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Weak, because it is the same for all encodings. */
  readonly etag: string;
  /** Compressed; see {@link bytesIn}. */
  readonly bytes: Readonly<Record<'br' | 'gzip', Buffer>>;
  /** What belongs to this answer alone, such as `Link`. */
  readonly headers: Readonly<Record<string, string>>;
}

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Compresses an answer in each way that clients accept. */
export async function finishAnswer(
  text: string,
  {
    status = 200,
    contentType = 'text/html; charset=utf-8',
    headers = {},
    quality = QUALITY,
  }: Partial<Pick<FinishedAnswer, 'status' | 'contentType' | 'headers'>> & { readonly quality?: number } = {},
): Promise<FinishedAnswer> {
  const identity = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, zipped] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity)]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  return { status, contentType, etag, headers, bytes: { br, gzip: zipped } };
}

/** Hardly any client takes only what is not compressed, so that is not kept. */
export function bytesIn({ bytes }: FinishedAnswer, encoding: Encoding): Buffer {
  return encoding === 'identity' ? gunzipSync(bytes.gzip) : bytes[encoding];
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
      sizeCalculation: ({ bytes }, key) => key.length + bytes.br.length + bytes.gzip.length + 1_500,
      fetchMethod: async (_key, _stale, { context }) => await context(),
      ignoreFetchAbort: true,
    });
  }

  async load(key: string, make: () => Promise<FinishedAnswer>): Promise<FinishedAnswer> {
    return this.#answers.get(key) ?? (await this.#answers.forceFetch(key, { context: make }));
  }
}
