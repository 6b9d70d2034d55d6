import {
  type AnalyseOptions,
  analyseSpace,
  filesToRead,
  openSpace,
  type SpaceOptions,
} from './analyse-space.ts';
import { readingKey, readingOfMarkdown } from './facts/read-facts.ts';
import { type Reading, tooLargeFacts } from './facts/reading.ts';
import { type FormatName, loadFormat } from './formats/index.ts';
import { MAX_PAGE_BYTES } from './limits.ts';
import type { FileFacts, Oid, RepoPath, SpaceAnalysis, TreeEntry } from './model.ts';
import { type ReadBlobs, untilRead } from './read-texts.ts';

export interface Engine {
  /** Facts of plain Markdown that are in memory. */
  factsOf(oid: Oid, path: RepoPath): FileFacts | undefined;
  /**
   * Analyses a space, reading only what is not in memory yet: its configuration, its pages, symbolic links, and pages
   * outside it whose headings are linked to. The format is `github` when left out; `detectSpaces` knows it.
   */
  analyse(
    options: SpaceOptions & { readonly format?: FormatName; readonly read: ReadBlobs },
  ): Promise<SpaceAnalysis>;
  /** What the facts in memory weigh, in bytes, roughly. */
  readonly weight: number;
}

export interface EngineOptions {
  /** Facts are dropped, the longest unused first, while they weigh more. In bytes; 256 MB when left out. */
  readonly maxWeight?: number;
}

/** Rounds of reading what links outside a space ask for; what is still unread then makes links unchecked. */
const MAX_ROUNDS = 4;

/**
 * Keeps facts per blob, so that a second tree of a repository reads and parses only what changed. Nothing is dropped
 * while an analysis needs it: the limit holds between analyses.
 */
export function createEngine({ maxWeight = 256 * 1024 * 1024 }: EngineOptions = {}): Engine {
  const kept = new FactsCache(maxWeight);
  return {
    factsOf: (oid, path) => kept.get(readingKey(oid, readingOfMarkdown(path))),
    get weight() {
      return kept.weight;
    },
    async analyse({ read, format: name = 'github', ...options }) {
      const format = await loadFormat(name);
      const facts = new Map<string, FileFacts>();
      return await untilRead(read, async (textOf) => {
        const open = openSpace({ ...options, format, textOf });
        return async () => {
          await gather(filesToRead(open, options.tree), kept, facts, read);
          for (let round = 1; ; round += 1) {
            const { analysis, missed } = analyseWith({ ...options, name, format, textOf }, facts);
            if (missed.length === 0 || round === MAX_ROUNDS) return analysis;
            // Pages outside the space whose headings are linked to show only now.
            if ((await gather(missed, kept, facts, read)) === 0) return analysis;
          }
        };
      });
    },
  };
}

interface Wanted {
  readonly entry: TreeEntry;
  readonly reading: Reading;
}

/** Analyses with the facts at hand, and tells which more were asked for. */
function analyseWith(options: Omit<AnalyseOptions, 'factsOf'>, facts: ReadonlyMap<string, FileFacts>) {
  const missed = new Map<string, Wanted>();
  const factsOf: AnalyseOptions['factsOf'] = (entry, reading) => {
    const key = readingKey(entry.oid, reading);
    const found = facts.get(key);
    if (found === undefined) missed.set(key, { entry, reading });
    return found;
  };
  return { analysis: analyseSpace({ ...options, factsOf }), missed: [...missed.values()] };
}

/** Puts the facts of the files into `facts`, from memory or by reading; answers how many came in. */
async function gather(
  files: readonly Wanted[],
  kept: FactsCache,
  facts: Map<string, FileFacts>,
  read: ReadBlobs,
): Promise<number> {
  const before = facts.size;
  const missing = new Map<Oid, Wanted[]>();
  for (const file of files) {
    const key = readingKey(file.entry.oid, file.reading);
    const known = facts.get(key) ?? kept.get(key);
    const same = missing.get(file.entry.oid);
    if (known !== undefined) facts.set(key, known);
    else if ((file.entry.size ?? 0) > MAX_PAGE_BYTES) facts.set(key, tooLargeFacts());
    else if (same === undefined) missing.set(file.entry.oid, [file]);
    else same.push(file);
  }
  if (missing.size > 0) {
    const entries = [...missing.values()].flatMap((same) => same.slice(0, 1)).map(({ entry }) => entry);
    for await (const { oid, bytes } of read(entries)) {
      for (const { reading } of missing.get(oid) ?? []) {
        const key = readingKey(oid, reading);
        if (!facts.has(key)) facts.set(key, reading.read(bytes));
      }
    }
  }
  for (const [key, one] of facts) kept.set(key, one);
  return facts.size - before;
}

/** Least recently used first out, by weight. */
class FactsCache {
  readonly #maxWeight: number;
  readonly #facts = new Map<string, { readonly facts: FileFacts; readonly weight: number }>();
  weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): FileFacts | undefined {
    const found = this.#facts.get(key);
    if (found === undefined) return undefined;
    this.#facts.delete(key);
    this.#facts.set(key, found);
    return found.facts;
  }

  set(key: string, facts: FileFacts): void {
    if (this.get(key) !== undefined) return;
    const weight = weigh(facts);
    this.#facts.set(key, { facts, weight });
    this.weight += weight;
    for (const [oldest, { weight: freed }] of this.#facts) {
      if (this.weight <= this.#maxWeight) break;
      this.#facts.delete(oldest);
      this.weight -= freed;
    }
  }
}

/** Roughly what V8 takes for the objects and strings of one file's facts. */
function weigh(facts: FileFacts): number {
  let weight = 500;
  for (const one of facts.references) weight += 180 + 2 * (one.target.length + one.text.length);
  for (const one of facts.anchors) weight += 120 + 2 * (one.name.length + (one.heading?.length ?? 0));
  return weight;
}
