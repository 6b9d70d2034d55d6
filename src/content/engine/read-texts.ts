import type { FilesOfTree, ValuesLanguage } from '../format-port/index.ts';
import { MAX_CONFIG_TEXT_BYTES, type Oid, type TreeEntry } from '../model/index.ts';
import { decodeText } from '../text/index.ts';
import type { FileValues } from '../yaml/index.ts';
import { turn } from './steps.ts';

/** Yields the bytes of the requested blobs, in any order, each once; blobs that cannot be read are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

/** Reads the values of a configuration. Never throws for what the text says. */
export type ReadValues = (text: string, language: ValuesLanguage) => Promise<FileValues>;

/** How `untilRead` reads. */
interface Reading {
  /** The known texts; those that are read are added. */
  readonly texts?: Map<Oid, string | null>;
  /** Reads large configurations; the calling thread does when absent. */
  readonly readValues?: ReadValues | undefined;
}

/** Short configurations, of which a repository may have thousands, are read here: others get their turn after so many characters. */
const LENGTH_PER_TURN = 10_000;

/** How deep configuration files may refer to each other; files beyond that count as missing. */
const MAX_ROUNDS = 8;

/**
 * Runs `attempt`, which may request files that were not read yet; reads those and runs it again from the start until it
 * requests no more. Then runs the function that it returned.
 */
export async function untilRead<Result>(
  read: ReadBlobs,
  attempt: (files: FilesOfTree) => Promise<() => Promise<Result>> | (() => Promise<Result>),
  { texts = new Map(), readValues = readValuesHere }: Reading = {},
): Promise<Result> {
  const valuesRead = new Map<string, FileValues>();
  for (let round = 1; ; round += 1) {
    const missed = new Map<Oid, TreeEntry>();
    const missedValues = new Map<string, { readonly oid: Oid; readonly language: ValuesLanguage }>();
    const files: FilesOfTree = {
      text(entry) {
        const text = texts.get(entry.oid);
        if (text === undefined) missed.set(entry.oid, entry);
        return text;
      },
      values(entry, language) {
        const key = `${language} ${entry.oid}`;
        const text = files.text(entry);
        if (text === null) return null;
        const values = valuesRead.get(key);
        if (values === undefined) missedValues.set(key, { oid: entry.oid, language });
        return values;
      },
    };
    const isDone = () => missed.size + missedValues.size === 0 || round === MAX_ROUNDS;
    const next = await attempt(files);
    if (isDone()) {
      const result = await next();
      // The returned function may have requested further files.
      if (isDone()) return result;
    }
    await readTexts(read, [...missed.values()], texts);
    let length = 0;
    for (const [key, { oid, language }] of missedValues) {
      const text = texts.get(oid) ?? null;
      if (text === null) continue;
      length += text.length;
      if (length > LENGTH_PER_TURN) {
        length = text.length;
        await turn();
      }
      valuesRead.set(key, await readValues(text, language));
    }
    // What follows from many values takes as long as parsing them, which may have ended in this turn.
    if (length > LENGTH_PER_TURN) await turn();
  }
}

/** Adds the texts of small files to `texts`; null for what cannot be read. */
export async function readTexts(
  read: ReadBlobs,
  entries: readonly TreeEntry[],
  texts: Map<Oid, string | null>,
): Promise<void> {
  for (const { oid } of entries) texts.set(oid, null);
  const small = entries.filter((entry) => (entry.size ?? 0) <= MAX_CONFIG_TEXT_BYTES);
  if (small.length === 0) return;
  for await (const { oid, bytes } of read(small)) {
    if (bytes.length <= MAX_CONFIG_TEXT_BYTES) texts.set(oid, decodeText(bytes).text);
  }
}

/** A reader that records whether a requested blob was left out, so that an analysis without it is not cached. */
export class CompleteReader {
  readonly read: ReadBlobs;
  isComplete = true;

  constructor(read: ReadBlobs) {
    const reader = this;
    this.read = async function* (entries) {
      const missing = new Set(entries.map((entry) => entry.oid));
      for await (const blob of read(entries)) {
        missing.delete(blob.oid);
        yield blob;
      }
      if (missing.size > 0) reader.isComplete = false;
    };
  }
}

/** Reads values in this process; what reads them is loaded when there are some: most checks read no more than what changed. */
export async function readValuesHere(text: string, language: ValuesLanguage): Promise<FileValues> {
  if (language === 'toml') {
    const { readToml } = await import('../toml/index.ts');
    return readToml(text);
  }
  const { readYaml } = await import('../yaml/index.ts');
  return readYaml(text, language);
}
