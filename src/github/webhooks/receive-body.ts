import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ReadTurns } from './read-turns.ts';

/** GitHub's own limit for a payload is 25 MB. https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** What all bodies that are being received may use together. */
export interface BodyLimits {
  readonly bodies: number;
  readonly bytes: number;
  /** From the head of a request to the end of its body, in ms; GitHub itself waits 10 s for the response. */
  readonly timeoutMs: number;
}

const LIMITS: BodyLimits = { bodies: 64, bytes: 64 * 1024 * 1024, timeoutMs: 20_000 };

/** A body that was not received. The message is one sentence for the sender. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
  readonly status: 400 | 408 | 413 | 503;

  constructor(status: BodyRefused['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** A body as it arrived, with its signatures, which were computed meanwhile. */
export interface ReceivedBody {
  readonly chunks: readonly Uint8Array[];
  /** The secrets with which it was compared. */
  readonly secrets: readonly string[];
  /** Whether one of them made the signature. Takes the same time wherever the signatures differ. */
  readonly isSigned: boolean;
}

/** Receives bodies, each within its limits and all within those that they share. */
export class BodyReceiver {
  readonly #limits: BodyLimits;
  readonly #turns = new ReadTurns();
  #bodies = 0;
  #bytes = 0;

  constructor(limits: BodyLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Receives a body. It counts until `release` is called, which whoever passed `use` must do once the body is dropped.
   *
   * @throws BodyRefused
   */
  async receive(
    stream: Readable,
    sent: { readonly signature: Uint8Array; readonly secrets: readonly string[]; readonly length: number },
    use: (release: () => void) => void,
  ): Promise<ReceivedBody> {
    const { bodies, bytes, timeoutMs } = this.#limits;
    if (sent.length > MAX_BODY_BYTES) throw tooLarge();
    if (this.#bodies >= bodies) throw busy();
    let own = 0;
    let isReleased = false;
    this.#bodies += 1;
    use(() => {
      if (isReleased) return;
      isReleased = true;
      this.#bodies -= 1;
      this.#bytes -= own;
    });
    const hashes = sent.secrets.map((secret) => createHmac('sha256', secret));
    const chunks: Buffer[] = [];
    const read = (chunk: Buffer) => {
      own += chunk.length;
      this.#bytes += chunk.length;
      if (own > MAX_BODY_BYTES) throw tooLarge();
      if (this.#bytes > bytes) throw busy();
      for (const hash of hashes) hash.update(chunk);
      chunks.push(chunk);
      this.#turns.spend(stream, chunk.length * Math.max(1, hashes.length));
    };
    await readChunks(stream, timeoutMs, read).finally(() => this.#turns.leave(stream));
    let isSigned = false;
    for (const hash of hashes) isSigned = timingSafeEqual(hash.digest(), sent.signature) || isSigned;
    return { chunks, secrets: sent.secrets, isSigned };
  }
}

/** Reads a stream until its end or until `add` throws. Then the stream is paused rather than destroyed, so that the response can be sent. */
async function readChunks(stream: Readable, timeoutMs: number, add: (chunk: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = () => reject(new BodyRefused(408, `The body did not arrive within ${timeoutMs / 1_000} s.`));
  const broken = () => reject(new BodyRefused(400, 'The connection ended before the body did.'));
  const read = (chunk: Buffer) => {
    try {
      add(chunk);
    } catch (error) {
      stream.off('data', read).pause();
      reject(error);
    }
  };
  const timer = setTimeout(late, timeoutMs);
  stream.on('data', read).once('end', resolve).once('error', broken).once('close', broken);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stream.off('data', read).off('end', resolve).off('close', broken).pause();
  }
}

function tooLarge(): BodyRefused {
  return new BodyRefused(413, 'The body is larger than 25 MB, the most that GitHub sends.');
}

function busy(): BodyRefused {
  return new BodyRefused(
    503,
    'Too many deliveries arrive at this moment; redeliver this one in a few seconds.',
  );
}
