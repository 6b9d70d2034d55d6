import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Where the findings of a run are cached for later runs. */
export interface CacheLocation {
  /** The folder for the files of all repositories; absolute. */
  readonly folder: string;
  /** Identifies the code that made the findings, so that another version starts anew. */
  readonly digest: string;
}

/** The size of all repositories' files together, in bytes. */
const MAX_FOLDER_BYTES = 512 * 1024 * 1024;

/** A file that no run wrote for so long is deleted. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** What is cached of a repository: `facts` about its files, and the last `answer`. */
const KINDS = ['facts', 'answer'] as const;

/** One file of the cache, for the folder `root`. */
export class CacheFile {
  readonly #folder: string;
  readonly #file: string;
  readonly #tag: string;

  constructor(root: string, kind: (typeof KINDS)[number], { folder, digest }: CacheLocation) {
    const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
    this.#folder = folder;
    this.#file = path.join(folder, `${name}.${kind}`);
    this.#tag = `docloom ${kind} 1 ${digest} ${process.version}`;
  }

  get isThere(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }

  /** The first line is the tag and a checksum of the rest. Null when the file is missing or of another version. */
  read(): Buffer | null {
    try {
      const bytes = readFileSync(this.#file);
      const lineEnd = bytes.indexOf('\n');
      const body = bytes.subarray(lineEnd + 1);
      return bytes.toString('latin1', 0, lineEnd) === `${this.#tag} ${checksum([body])}` ? body : null;
    } catch {
      return null;
    }
  }

  /** Never throws: a full disk or a folder without write access is no reason to fail a check. */
  write(parts: readonly Buffer[]): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replaceFile(this.#file, [Buffer.from(`${this.#tag} ${checksum(parts)}\n`), ...parts]);
      dropOldest(this.#folder);
    } catch {
      // The next run then computes it again.
    }
  }
}

function checksum(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Replaces the file atomically, so that a concurrent run sees the old file or the new one. */
function replaceFile(file: string, parts: readonly Buffer[]): void {
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const opened = openSync(beside, 'wx', 0o600);
    try {
      for (const part of parts) writeFileSync(opened, part);
    } finally {
      closeSync(opened);
    }
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Also removes the partial files of runs that were stopped while they wrote. */
function dropOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => KINDS.some((kind) => name.includes(`.${kind}`)))
    .map((name) => {
      const file = path.join(folder, name);
      const { size, mtimeMs } = statSync(file);
      return { file, size, mtimeMs };
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  let sum = 0;
  for (const { file, size, mtimeMs } of files) {
    sum += size;
    if (sum > MAX_FOLDER_BYTES || mtimeMs < Date.now() - MAX_AGE_MS) rmSync(file, { force: true });
  }
}
