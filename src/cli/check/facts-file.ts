import { CacheFile, type CacheLocation } from './cache-file.ts';
import { KnownFiles } from './known-files.ts';

/** The cache of facts about one repository's files. */
export interface FactsFile {
  readonly known: KnownFiles;
  /** Writes new facts, if there are any. Never throws: the next run then reads the files again. */
  save(): void;
}

/** The size of one repository's file, in UTF-16 code units, which are bytes for most texts. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Facts of files that are absent now stay cached for when a branch is checked out again, up to this size or to the size of the facts in use. */
const MAX_UNUSED_LENGTH = 8 * 1024 * 1024;

/** The approximate size of one write, in UTF-16 code units. */
const PART_LENGTH = 256 * 1024;

/** Opens the cached facts for the files below a folder; without facts when there are none, or those of another version. */
export function openFactsFile(root: string, location: CacheLocation): FactsFile {
  const file = new CacheFile(root, 'facts', location);
  const known = new KnownFiles(readLines(file));
  return {
    known,
    save() {
      if (known.isChanged) file.write(joinLines(known.lines()));
    },
  };
}

/** Each line is a key, a space and JSON. */
function readLines(file: CacheFile): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  const text = file.read()?.toString('utf8') ?? '';
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(' ', at);
    const next = text.indexOf('\n', space);
    lines.set(text.slice(at, space), text.slice(space + 1, next));
    at = next + 1;
  }
  return lines;
}

/** Joins the lines in parts, so that no single text of all of them is built. */
function joinLines({ used, unused }: ReturnType<KnownFiles['lines']>): readonly Buffer[] {
  const parts: Buffer[] = [];
  let part = '';
  let length = 0;
  const add = (lines: Iterable<readonly [string, string]>, limit: number) => {
    for (const [key, line] of lines) {
      const size = key.length + line.length + 2;
      if (length + size > limit) continue;
      part += `${key} ${line}\n`;
      length += size;
      if (part.length > PART_LENGTH) flush();
    }
  };
  const flush = () => {
    parts.push(Buffer.from(part));
    part = '';
  };
  add(used, MAX_LENGTH);
  add(unused, Math.min(MAX_LENGTH, length + Math.max(length, MAX_UNUSED_LENGTH)));
  flush();
  return parts;
}
