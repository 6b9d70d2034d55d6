import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KnownFiles } from './known-files.ts';

/** Where the facts of one repository's files are kept between runs. */
export interface FactsFile {
  readonly known: KnownFiles;
  /** Writes what is new, if anything is. Never throws: the next run then reads the files again. */
  save(): void;
}

export interface FactsPlace {
  /** The folder for the files of all repositories; absolute. */
  readonly folder: string;
  /** Names the code that finds the facts, so that another version starts anew. */
  readonly digest: string;
}

/** Of one repository's file, in UTF-16 code units, which are bytes for most texts. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Facts of files that are not there now are kept for when a branch is checked out again, up to this or to what is in use. */
const MAX_UNUSED_LENGTH = 8 * 1024 * 1024;

/** Of all repositories' files together, in bytes. */
const MAX_FOLDER_BYTES = 512 * 1024 * 1024;

/** Opens the facts kept for the files below a folder; none where there are none, or those of another version. */
export function openFactsFile(root: string, { folder, digest }: FactsPlace): FactsFile {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
  const file = path.join(folder, `${name}.facts`);
  const tag = `docloom facts 1 ${digest} ${process.version}`;
  const known = new KnownFiles(readLines(file, tag));
  return {
    known,
    save() {
      if (!known.isChanged) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        replaceFile(file, joinLines(known.lines(), tag));
        dropOldest(folder);
      } catch {
        // A full disk or a folder that may not be written to is no reason to fail a check.
      }
    },
  };
}

function checksum(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** The first line is the tag and the checksum of all below, which are lines of a key, a space and JSON. */
function readLines(file: string, tag: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('latin1', 0, end) !== `${tag} ${checksum(body)}`) return lines;
    const text = body.toString('utf8');
    for (let at = 0; at < text.length; ) {
      const space = text.indexOf(' ', at);
      const next = text.indexOf('\n', space);
      lines.set(text.slice(at, space), text.slice(space + 1, next));
      at = next + 1;
    }
  } catch {
    // Not there, or not to be read.
  }
  return lines;
}

function joinLines({ used, unused }: ReturnType<KnownFiles['lines']>, tag: string): Buffer {
  const parts: string[] = [];
  let length = 0;
  const add = (lines: ReadonlyMap<string, string>, limit: number) => {
    for (const [key, line] of lines) {
      if (length + key.length + line.length + 2 > limit) continue;
      parts.push(key, ' ', line, '\n');
      length += key.length + line.length + 2;
    }
  };
  add(used, MAX_LENGTH);
  add(unused, Math.min(MAX_LENGTH, length + Math.max(length, MAX_UNUSED_LENGTH)));
  const body = Buffer.from(parts.join(''));
  return Buffer.concat([Buffer.from(`${tag} ${checksum(body)}\n`), body]);
}

/** In one step, so that a run beside this one sees the old facts or the new ones. */
function replaceFile(file: string, bytes: Buffer): void {
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(beside, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Also those of runs that were ended while they wrote. */
function dropOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.includes('.facts'))
    .map((name) => {
      const file = path.join(folder, name);
      const { size, mtimeMs } = statSync(file);
      return { file, size, mtimeMs };
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  let sum = 0;
  for (const { file, size } of files) {
    sum += size;
    if (sum > MAX_FOLDER_BYTES) rmSync(file, { force: true });
  }
}
