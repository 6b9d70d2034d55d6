import { pipeline, type Readable, Transform } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip, gunzipSync } from 'node:zlib';
import type { SpecDocument } from '../../openapi/index.ts';

const expand = promisify(gunzip);

/** The stored content of a version: its files, and the document that several files are bundled into (null for one file). */
export interface VersionContent {
  readonly content: Uint8Array;
  readonly document: Uint8Array | null;
}

/** The files of a version, as they are stored in JSON: in this order. */
export interface VersionFiles {
  readonly entrypoint: string;
  readonly files: Readonly<Record<string, unknown>>;
}

/** The JSON of a version's files: {@link VersionFiles}. */
export async function readVersionFiles({ content }: Pick<VersionContent, 'content'>): Promise<string> {
  return (await expand(content)).toString();
}

/** The same as values. Takes seconds for large ones, so it is for threads. */
export function parseVersionFiles({ content }: Pick<VersionContent, 'content'>): VersionFiles {
  return JSON.parse(gunzipSync(content).toString()) as VersionFiles;
}

/** The document of a version. Takes seconds for large ones, so it is for threads. */
export function parseDocument(version: VersionContent): SpecDocument {
  if (version.document !== null) return JSON.parse(gunzipSync(version.document).toString()) as SpecDocument;
  const { entrypoint, files } = parseVersionFiles(version);
  return files[entrypoint] as SpecDocument;
}

/** The document of a version as JSON. It is megabytes that anybody may ask for, so nothing reads it as a whole. */
export function streamDocument({ content, document }: VersionContent): Readable {
  const expanded = createGunzip();
  const stream = document === null ? pipeline(expanded, onlyFile(), ignore) : expanded;
  expanded.end(document ?? content);
  return stream;
}

/** A failure is that of the stream, whose reader is told. */
function ignore(): void {}

const BEFORE_FILE = /^\{"entrypoint":"(?:[^"\\]|\\.)*","files":\{"(?:[^"\\]|\\.)*":/;
const AFTER_FILE = '}}'.length;

/** In bytes; names of files are shorter. */
const LONGEST_START = 64 * 1024;

/** Passes on the value of the only file in the JSON of {@link VersionFiles}. */
function onlyFile(): Transform {
  let isInside = false;
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (!isInside) {
        // One character for each byte, whatever the encoding says.
        const before = BEFORE_FILE.exec(held.toString('latin1', 0, LONGEST_START));
        if (before === null)
          return done(held.length < LONGEST_START ? null : new Error('A stored specification has no file.'));
        held = held.subarray(before[0].length);
        isInside = true;
      }
      const end = Math.max(0, held.length - AFTER_FILE);
      const passed = held.subarray(0, end);
      held = held.subarray(end);
      done(null, passed);
    },
    flush: (done) => done(isInside ? null : new Error('A stored specification has no file.')),
  });
}
