/**
 * One file with everything, written and read as a stream: a line that names the format, then records. A record has a
 * header, its content in chunks, and a digest of both and of the digest before; so nothing can be missing, swapped or
 * changed unnoticed. The last one says how many there are.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';

const MAGIC = Buffer.from('docloom backup 1\n');
const DIGEST_BYTES = 32;
const MAX_HEADER_BYTES = 16 * 1024 ** 2;
const MAX_CHUNK_BYTES = 1024 ** 2;

/** What a record is about; `kind` tells which. */
export interface RecordHeader {
  readonly kind: string;
}

/** The archive is none, or not as it was written. The message is one sentence that ends without its name. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
}

/** Writes records to `write`, which resolves when more may come. */
export class ArchiveWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #digest: Uint8Array = MAGIC;
  #records = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  async add(
    header: RecordHeader,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
  ): Promise<void> {
    if (this.#records === 0) await this.#write(MAGIC);
    this.#records += 1;
    const hash = createHash('sha256').update(this.#digest);
    const head = Buffer.from(JSON.stringify(header));
    await this.#part(hash, head);
    for await (const bytes of content)
      for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES)
        await this.#part(hash, bytes.subarray(at, at + MAX_CHUNK_BYTES));
    await this.#part(hash, Buffer.alloc(0));
    this.#digest = hash.digest();
    await this.#write(this.#digest);
  }

  async end(): Promise<void> {
    await this.add({ kind: 'end', records: this.#records } as RecordHeader);
  }

  async #part(hash: Hash, bytes: Uint8Array): Promise<void> {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
    await this.#write(length);
    if (bytes.length > 0) await this.#write(bytes);
  }
}

export interface ArchiveRecord {
  readonly header: RecordHeader;
  /** Fails with {@link ArchiveDamaged} at its end when it is not what was written; what is not read is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** @throws ArchiveDamaged */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveRecord> {
  const bytes = new ByteReader(source);
  if (!(await bytes.take(MAGIC.length).catch(() => Buffer.alloc(0))).equals(MAGIC))
    throw new ArchiveDamaged('is no backup of Docloom, or one of a later format');
  let digest: Uint8Array = MAGIC;
  for (let records = 0; ; records++) {
    const hash = createHash('sha256').update(digest);
    const header = parseHeader(await takePart(bytes, hash, MAX_HEADER_BYTES));
    const content = readContent(bytes, hash);
    if (header.kind !== 'end') yield { header, content };
    for await (const _ of content); // what the caller left
    digest = hash.digest();
    if (header.kind !== 'end') continue;
    if ((header as { records?: unknown }).records !== records || !(await bytes.isAtEnd())) throw damaged();
    return;
  }
}

async function* readContent(bytes: ByteReader, hash: Hash): AsyncGenerator<Buffer> {
  for (;;) {
    const part = await takePart(bytes, hash, MAX_CHUNK_BYTES);
    if (part.length === 0) break;
    yield part;
  }
  const expected = await bytes.take(DIGEST_BYTES);
  if (!expected.equals(hash.copy().digest())) throw damaged();
}

async function takePart(bytes: ByteReader, hash: Hash, limit: number): Promise<Buffer> {
  const length = await bytes.take(4);
  const count = length.readUInt32BE();
  if (count > limit) throw damaged();
  const part = await bytes.take(count);
  hash.update(length).update(part);
  return part;
}

function parseHeader(bytes: Buffer): RecordHeader {
  try {
    const header = JSON.parse(bytes.toString('utf8'));
    if (typeof header?.kind === 'string') return header;
  } catch {}
  throw damaged();
}

function damaged(): ArchiveDamaged {
  return new ArchiveDamaged('is damaged or incomplete');
}

/** Takes bytes from a stream by count. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    if (this.#rest.length < count) {
      const parts = [this.#rest];
      let has = this.#rest.length;
      while (has < count) {
        const { value, done } = await this.#chunks.next();
        if (done === true) throw damaged();
        parts.push(value);
        has += value.length;
      }
      this.#rest = Buffer.concat(parts);
    }
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && (await this.#chunks.next()).done === true;
  }
}
