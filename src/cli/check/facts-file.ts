import { CacheFile, type CacheLocation } from './cache-file.ts';
import { KnownFiles } from './known-files.ts';

/** Where the facts of one repository's files are kept between runs. */
export interface FactsFile {
  readonly known: KnownFiles;
  /** Writes what is new, if anything is. Never throws: the next run then reads the files again. */
  save(): void;
}

/** Of one repository's file, in UTF-16 code units, which are bytes for most texts. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Facts of files that are not there now are kept for when a branch is checked out again, up to this or to what is in use. */
const MAX_UNUSED_LENGTH = 8 * 1024 * 1024;

/** Of what is written at a time, in UTF-16 code units, roughly. */
const PART_LENGTH = 256 * 1024;

/** Opens the facts kept for the files below a folder; none where there are none, or those of another version. */
export function openFactsFile(root: string, place: CacheLocation): FactsFile {
  const file = new CacheFile(root, 'facts', place);
  const known = new KnownFiles(readLines(file));
  return {
    known,
    save() {
      if (known.isChanged) file.write(joinLines(known.lines()));
    },
  };
}

/** Each is a key, a space and JSON. */
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

/** In parts, so that no text is made of all of them. */
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
      if (part.length > PART_LENGTH) end();
    }
  };
  const end = () => {
    parts.push(Buffer.from(part));
    part = '';
  };
  add(used, MAX_LENGTH);
  add(unused, Math.min(MAX_LENGTH, length + Math.max(length, MAX_UNUSED_LENGTH)));
  end();
  return parts;
}
