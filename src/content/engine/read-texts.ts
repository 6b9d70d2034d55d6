import type { FilesOfTree } from '../format-port/index.ts';
import { MAX_CONFIG_TEXT_BYTES, type Oid, type TreeEntry } from '../model/index.ts';
import { decodeText } from '../text/index.ts';
import type { YamlLanguage, YamlValues } from '../yaml/index.ts';

/** Yields the bytes of the requested blobs, in any order, each once; blobs that cannot be read are left out. */
export type ReadBlobs = (
  entries: readonly TreeEntry[],
) => AsyncIterable<{ readonly oid: Oid; readonly bytes: Uint8Array }>;

/** Reads YAML elsewhere, within limits. Never throws for what the text says. */
export type ReadYaml = (text: string, language: YamlLanguage) => Promise<YamlValues>;

/** How `untilRead` reads. */
interface Reading {
  /** The known texts; those that are read are added. */
  readonly texts?: Map<Oid, string | null>;
  /** Reads large configurations; the calling thread does when absent. */
  readonly readYaml?: ReadYaml | undefined;
}

/** How deep configuration files may refer to each other; files beyond that count as missing. */
const MAX_ROUNDS = 8;

/**
 * Runs `attempt`, which may request files that were not read yet; reads those and runs it again from the start until it
 * requests no more. Then runs the function that it returned.
 */
export async function untilRead<Result>(
  read: ReadBlobs,
  attempt: (files: FilesOfTree) => Promise<() => Promise<Result>> | (() => Promise<Result>),
  { texts = new Map(), readYaml = readYamlHere }: Reading = {},
): Promise<Result> {
  const yamls = new Map<string, YamlValues>();
  for (let round = 1; ; round += 1) {
    const missed = new Map<Oid, TreeEntry>();
    const missedYaml = new Map<string, { readonly oid: Oid; readonly language: YamlLanguage }>();
    const files: FilesOfTree = {
      text(entry) {
        const text = texts.get(entry.oid);
        if (text === undefined) missed.set(entry.oid, entry);
        return text;
      },
      yaml(entry, language) {
        const key = `${language} ${entry.oid}`;
        const text = files.text(entry);
        if (text === null) return null;
        const values = yamls.get(key);
        if (values === undefined) missedYaml.set(key, { oid: entry.oid, language });
        return values;
      },
    };
    const isDone = () => missed.size + missedYaml.size === 0 || round === MAX_ROUNDS;
    const next = await attempt(files);
    if (isDone()) {
      const result = await next();
      // The returned function may have requested further files.
      if (isDone()) return result;
    }
    await readTexts(read, [...missed.values()], texts);
    for (const [key, { oid, language }] of missedYaml) {
      const text = texts.get(oid) ?? null;
      if (text !== null) yamls.set(key, await readYaml(text, language));
    }
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

/** Loaded when there is YAML to read: most checks read no more than what changed. */
async function readYamlHere(text: string, language: YamlLanguage): Promise<YamlValues> {
  const { readYaml } = await import('../yaml/index.ts');
  return readYaml(text, language);
}
