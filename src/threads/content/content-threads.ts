import { createHash } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import type { MergedPart, PageDifference, TextDifference } from '../../content/diff/index.ts';
import type { EvaluateOptions, VisitorQuestions } from '../../content/expressions/index.ts';
import type { ParsedGlossary } from '../../content/glossary/index.ts';
import {
  type Anchor,
  type FileFacts,
  loadDialect,
  type ReadFacts,
  type ReadValues,
  readValuesHere,
  unreadFacts,
} from '../../content/index.ts';
import type { ComposedPage, PageWithParts, RenderedPage } from '../../content/render/index.ts';
import type { Language } from '../../content/text/index.ts';
import type { SegmentsFound } from '../../content/translation/index.ts';
import type { FileValues } from '../../content/yaml/index.ts';
import {
  createThreadRunner,
  type Niceness,
  ThreadLimitExceeded,
  type ThreadLimits,
  ThreadsBusy,
} from '../thread-runner.ts';
import { type ContentResult, type ContentTask, runContentTask } from './content-task.ts';
import type { IndexedSections } from './index-sections.ts';
import { parseParts } from './json-parts.ts';
import type { ReadBlocks } from './read-blocks.ts';
import { RecentValues } from './recent-values.ts';
import { RefusedPages } from './refused-pages.ts';
import type { DocumentPage, HtmlPage } from './show-pages.ts';

/** The largest public page that was seen, of 620 KB, takes 1 to 2 s and 0.3 GB. */
const LIMITS: ThreadLimits = { timeoutMs: 10_000, memoryMb: 768 };

/** Below this one thread reads at a time. In bytes. */
const MEMORY_FOR_TWO = 3 * 1024 ** 3;

/** At least two, so that one slow page does not delay all others. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));

/** The same for imports and checks, which can wait where there is little memory. */
const READERS = totalmem() < MEMORY_FOR_TWO ? 1 : THREADS;

/** Tasks that wait longer than people do are refused at once. */
const MAX_WAITING = 100;

/**
 * Pages up to this length (in UTF-16 code units) are rendered by the calling thread: every step is linear, and the worst of
 * 80 hostile kinds of pages takes 40 ms, while most of a thread's time for a normal one would go into passing it.
 */
const MAX_LENGTH_HERE = 4_000;

/** The same for reading the facts of a file, in bytes, and for a configuration. */
const MAX_BYTES_HERE = 8_000;

/** Code in MDX, however short, is parsed by native code that may take exponential time. */
const MAY_HAVE_CODE = /\{|^(?:im|ex)port/m;

/** The same for a page of a site that may have formulas, which cost more than other text. */
const MAX_MATH_HERE = 500;

/** How long a thread for reading stays without work: an import starts it once. */
const READER_IDLE_MS = 300_000;

/** A page takes more time or memory than it may. The message is one sentence for people. */
export class PageLimitError extends Error {
  override readonly name = 'PageLimitError';
}

/**
 * A page could not be read or shown, and the machine may be the reason, so another try in a moment may succeed. The message
 * is one sentence for people.
 */
export class PageNotRead extends Error {
  override readonly name = 'PageNotRead';
}

const BUSY = 'The server is busy with other long pages, so this one is not shown. Open it again in a moment.';

type PageTask = Extract<ContentTask, { readonly page: unknown }>;

/** Reads and renders pages within limits of time and memory. */
export interface ContentThreads {
  /**
   * Renders a page for readers.
   *
   * @throws PageLimitError when it is too large or takes too long, PageNotRead
   */
  render(page: HtmlPage): Promise<RenderedPage>;
  /**
   * Writes a page as nodes, as the JSON of a `DocumentTree`: a page may have a hundred thousand.
   *
   * @throws PageLimitError when it is too large or takes too long, PageNotRead
   */
  write(page: DocumentPage): Promise<string>;
  /**
   * The blocks of a page, without its nodes, of which it may have a hundred thousand; and with `hasNodes` in which of the
   * blocks each of them stands.
   *
   * @throws PageLimitError when it is too large or takes too long, PageNotRead
   */
  readBlocks(page: DocumentPage, options?: { readonly hasNodes?: boolean }): Promise<ReadBlocks>;
  /**
   * Reads the facts of a file for the engine. Those of a file that exceeds a limit say so, and nothing else.
   *
   * @throws PageNotRead, and internal errors
   */
  readonly readFacts: ReadFacts;
  /**
   * Reads a configuration in YAML or TOML for the engine. One that exceeds a limit has no values, and an error that says so.
   *
   * @throws PageNotRead, and internal errors
   */
  readonly readValues: ReadValues;
  /**
   * Parses a glossary. One that exceeds a limit has a problem that says so.
   *
   * @throws PageNotRead, and internal errors
   */
  parseGlossary(text: string, path: string): Promise<ParsedGlossary>;
  /**
   * The text of a page with the files that it includes, whose bytes `texts` has by oid; null for one that exceeds a limit.
   * `isImport` is whether nobody waits for it to be shown.
   *
   * @throws PageNotRead, and internal errors
   */
  compose(
    page: PageWithParts,
    texts: ReadonlyMap<string, Uint8Array>,
    options: { readonly isImport: boolean },
  ): Promise<ComposedPage | null>;
  /**
   * The sections of a page for the search, and why they are not all; none of a page that exceeds a limit.
   *
   * @throws PageNotRead, and internal errors
   */
  readSections(markdown: string, anchors: readonly Anchor[]): Promise<IndexedSections>;
  /**
   * What a page asks about its visitor.
   *
   * @throws PageLimitError when it takes too long or too much memory, PageNotRead, and internal errors
   */
  listVisitorQuestions(markdown: string): Promise<VisitorQuestions>;
  /**
   * Replaces the expressions of a page with their values, and removes what its conditions hide.
   *
   * @throws PageLimitError when it takes too long or too much memory, PageNotRead, and internal errors
   */
  evaluate(markdown: string, options: EvaluateOptions): Promise<string>;
  /**
   * The texts of a page to translate, and why they are not all; none of a page above a limit of the parser.
   *
   * @throws PageLimitError when it takes too long or too much memory, PageNotRead, and internal errors
   */
  findSegments(markdown: string, path: string): Promise<SegmentsFound>;
  /**
   * Renders two versions of a page as one, with what was inserted and deleted; null for one that does not exist.
   *
   * @throws PageLimitError when it is too large or takes too long, PageNotRead
   */
  comparePages(before: HtmlPage | null, after: HtmlPage | null): Promise<PageDifference>;
  /**
   * Compares two texts line by line.
   *
   * @throws PageLimitError when it takes too long or too much memory, PageNotRead, and internal errors
   */
  compareTexts(before: string, after: string): Promise<TextDifference>;
  /**
   * Merges what two texts changed in the same base.
   *
   * @throws PageLimitError when it takes too long or too much memory, PageNotRead, and internal errors
   */
  mergeTexts(base: string, ours: string, theirs: string): Promise<readonly MergedPart[]>;
  /** Stops the idle threads; the next task starts one again. */
  close(): Promise<void>;
}

/**
 * The threads start with the first long page and are reused for as long as the process runs. `maxReaders` is how many read at
 * a time for imports and checks, and `niceness` how far behind this process.
 */
export function createContentThreads(
  limits: ThreadLimits = LIMITS,
  maxReaders = READERS,
  niceness: Niceness = 'inBackground',
): ContentThreads {
  const threads = createThreadRunner<ContentTask, never, never, ContentResult>(
    new URL('./content-thread.ts', import.meta.url),
    limits,
    {
      maxThreads: THREADS,
      maxWaiting: MAX_WAITING,
      maxIdle: THREADS,
      idleMs: Infinity,
      niceness: 'forReaders',
    },
  );
  // Imports and checks have threads of their own, so that readers do not wait for them. Each of them reads one file after
  // another, so the order in which they ask is fair.
  const readers = createThreadRunner<ContentTask, never, never, ContentResult>(
    new URL('./content-thread.ts', import.meta.url),
    limits,
    { maxThreads: maxReaders, maxIdle: maxReaders, idleMs: READER_IDLE_MS, niceness },
  );
  const refused = new RefusedPages();
  const recent = new RecentValues();

  async function run(task: PageTask, mayBeShort: boolean): Promise<ContentResult> {
    const { markdown, dialect } = task.page;
    if (mayBeShort && markdown.length <= MAX_LENGTH_HERE) {
      const { reading } = await loadDialect(dialect);
      if (!mayHaveCode(reading, markdown)) return accepted(await runContentTask(task));
    }
    const key = digestOf(task);
    const before = refused.get(key);
    if (before !== undefined) throw new PageLimitError(before);
    try {
      return accepted(await threads.run(task));
    } catch (error) {
      if (error instanceof ThreadsBusy) throw new PageNotRead(BUSY);
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      if (!error.isCertain) {
        throw new PageNotRead(
          `This page ${error.describe('show')}, perhaps because the server is busy, so it is not shown. Open it again in a moment.`,
        );
      }
      const message = `This page ${error.describe('show')} and is not shown here. Split it into several pages.`;
      refused.add(key, message);
      throw new PageLimitError(message);
    }
  }

  /** What a reader returns; the reason in the words of a sentence when the input certainly exceeds a limit. */
  async function read<Result>(task: ContentTask, runner = readers): Promise<Result | string> {
    try {
      return await parsed<Result>(await runner.run(task));
    } catch (error) {
      if (error instanceof ThreadsBusy) throw new PageNotRead(BUSY);
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      if (!error.isCertain) {
        throw new PageNotRead(
          `A page could not be read, perhaps because this machine is short of memory or time (it ${error.describe('read')}); try again, or give it more memory.`,
        );
      }
      return error.describe('read');
    }
  }

  async function compareInThread(task: ContentTask): Promise<ContentResult> {
    try {
      return await threads.run(task);
    } catch (error) {
      if (error instanceof ThreadsBusy) throw new PageNotRead(BUSY);
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      if (!error.isCertain)
        throw new PageNotRead(
          `This page ${error.describe('show')}, perhaps because the server is busy; open it again in a moment.`,
        );
      throw new PageLimitError(
        `The comparison of this page ${error.describe('show')}; see its source instead.`,
      );
    }
  }

  return {
    async render(page) {
      const { markdown, isForSite = false } = page;
      const hasMath = isForSite && markdown.length > MAX_MATH_HERE && /\$|```math/.test(markdown);
      const result = await run({ kind: 'html', page }, page.operations.size === 0 && !hasMath);
      if ('html' in result) return result.html;
      throw new Error('A thread returned something else than a page.');
    },
    async write(page) {
      const result = await run({ kind: 'document', page }, true);
      if ('json' in result) return result.json;
      throw new Error('A thread returned something else than nodes.');
    },
    async readBlocks(page, { hasNodes = false } = {}) {
      return await parsed<ReadBlocks>(await run({ kind: 'blocks', page, hasNodes }, true));
    },
    async readFacts(reading, bytes) {
      const isShort =
        bytes.length <= MAX_BYTES_HERE && !mayHaveCode(reading, Buffer.from(bytes).toString('latin1'));
      if (isShort) return (await reading.load())(bytes);
      const facts = await read<FileFacts>({ kind: 'facts', readingKey: reading.key, bytes });
      return typeof facts === 'string' ? unreadFacts(`The file ${facts} and was not read.`) : facts;
    },
    async readValues(text, language) {
      if (text.length <= MAX_BYTES_HERE) return await readValuesHere(text, language);
      return await recent.of(text, language, async () => {
        const found = await read<FileValues>({ kind: 'values', text, language });
        return typeof found === 'string' ? { values: undefined, error: `it ${found}`, isRead: true } : found;
      });
    },
    async parseGlossary(text, path) {
      if (text.length <= MAX_BYTES_HERE) {
        const { parseGlossary } = await import('../../content/glossary/index.ts');
        return parseGlossary(text, path);
      }
      type Terms = readonly (readonly [string, readonly (readonly [Language | '*', string])[]])[];
      type Found = { readonly terms: Terms } | Extract<ParsedGlossary, { readonly problems: unknown }>;
      const found = await read<Found>({ kind: 'glossary', text, path });
      if (typeof found === 'string')
        return { problems: [{ message: `The file ${found}.`, line: 1, column: 1 }] };
      if ('problems' in found) return found;
      const terms = found.terms.map(([term, translations]) => ({
        term,
        translations: new Map(translations),
      }));
      return { glossary: { terms } };
    },
    async compose(page, texts, { isImport }) {
      const { reading } = await loadDialect(page.dialect);
      const parts = [...texts.values()];
      const length = parts.reduce((sum, { length }) => sum + length, page.text.length);
      const isShort =
        length <= MAX_LENGTH_HERE &&
        !parts.some((bytes) => mayHaveCode(reading, Buffer.from(bytes).toString('latin1')));
      if (isShort) {
        const { composePage } = await import('../../content/render/index.ts');
        return await composePage(page, (oid) => texts.get(oid));
      }
      const composed = await read<ComposedPage>(
        { kind: 'compose', written: page, texts },
        isImport ? readers : threads,
      );
      return typeof composed === 'string' ? null : composed;
    },
    async readSections(markdown, anchors) {
      if (markdown.length <= MAX_BYTES_HERE) {
        const { indexSections } = await import('./index-sections.ts');
        return indexSections(markdown, anchors);
      }
      const found = await read<IndexedSections>({ kind: 'sections', markdown, anchors });
      if (typeof found !== 'string') return found;
      return { sections: [], problem: `The page ${found}, so search does not find its text.` };
    },
    async listVisitorQuestions(markdown) {
      if (markdown.length <= MAX_LENGTH_HERE) {
        const { listVisitorQuestions } = await import('../../content/expressions/index.ts');
        return listVisitorQuestions(markdown);
      }
      const found = await read<VisitorQuestions>({ kind: 'visitor-questions', markdown }, threads);
      if (typeof found !== 'string') return found;
      throw new PageLimitError(`This page ${found} and is not shown here. Split it into several pages.`);
    },
    async evaluate(markdown, options) {
      if (markdown.length <= MAX_LENGTH_HERE) {
        const { evaluateMarkdown } = await import('../../content/expressions/index.ts');
        return evaluateMarkdown(markdown, options);
      }
      const found = await read<{ readonly text: string }>({ kind: 'evaluate', markdown, options }, threads);
      if (typeof found !== 'string') return found.text;
      throw new PageLimitError(`This page ${found} and is not shown here. Split it into several pages.`);
    },
    async findSegments(markdown, path) {
      const isSafe = !path.toLowerCase().endsWith('.mdx') || !MAY_HAVE_CODE.test(markdown);
      if (isSafe && markdown.length <= MAX_LENGTH_HERE) {
        const { findSegments } = await import('../../content/translation/index.ts');
        return findSegments(markdown, path);
      }
      const found = await read<SegmentsFound>({ kind: 'segments', markdown, path });
      if (typeof found !== 'string') return found;
      throw new PageLimitError(`${path}: the page ${found}, so it cannot be translated; split it.`);
    },
    async comparePages(before, after) {
      const task = { kind: 'compare-pages' as const, before, after };
      const pages = [before, after].filter((page) => page !== null);
      const length = pages.reduce((sum, { markdown }) => sum + markdown.length, 0);
      let isShort = length <= MAX_LENGTH_HERE && pages.every(({ operations }) => operations.size === 0);
      for (const { dialect, markdown } of isShort ? pages : []) {
        if (mayHaveCode((await loadDialect(dialect)).reading, markdown)) isShort = false;
      }
      const result = accepted(isShort ? await runContentTask(task) : await compareInThread(task));
      return await parsed<PageDifference>(result);
    },
    async compareTexts(before, after) {
      if (before.length + after.length <= MAX_LENGTH_HERE) {
        const { compareTexts } = await import('../../content/diff/index.ts');
        return compareTexts(before, after);
      }
      const found = await read<TextDifference>({ kind: 'compare-texts', before, after }, threads);
      if (typeof found !== 'string') return found;
      throw new PageLimitError(`The file ${found.replace(/ to read$/, ' to compare')}.`);
    },
    async mergeTexts(base, ours, theirs) {
      if (base.length + ours.length + theirs.length <= MAX_LENGTH_HERE) {
        const { mergeTexts } = await import('../../content/diff/index.ts');
        return mergeTexts(base, ours, theirs);
      }
      const task = { kind: 'merge-texts' as const, base, ours, theirs };
      const found = await read<{ readonly merged: readonly MergedPart[] }>(task, threads);
      if (typeof found !== 'string') return found.merged;
      throw new PageLimitError(`The file ${found.replace(/ to read$/, ' to merge')}.`);
    },
    async close() {
      await threads.close();
      await readers.close();
    },
  };
}

/** Those of the whole process. */
export const contentThreads = createContentThreads();

function accepted(result: ContentResult): ContentResult {
  if ('refused' in result) throw new PageLimitError(result.refused);
  return result;
}

async function parsed<Result>(result: ContentResult): Promise<Result> {
  if ('parts' in result) return (await parseParts(result.parts)) as Result;
  throw new Error('A thread returned something else than it was asked for.');
}

function mayHaveCode({ options }: Parameters<ReadFacts>[0], source: string): boolean {
  return options?.syntax === 'mdx' && MAY_HAVE_CODE.test(source);
}

function digestOf({ kind, page }: PageTask): string {
  return createHash('sha256').update(`${kind} ${page.dialect}\n${page.markdown}`).digest('base64');
}
