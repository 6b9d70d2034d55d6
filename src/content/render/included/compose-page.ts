import {
  allLines,
  type Dialect,
  type Include,
  type IncludedLines,
  type PartSource,
  SourceText,
} from '../../dialect/index.ts';
import type { PagePart } from '../../engine/index.ts';
import { MAX_PAGE_PARTS, MAX_PART_DEPTH, type Oid, type RepoPath } from '../../model/index.ts';
import type { ReadBytes } from '../../parse/index.ts';
import { decodeText, type Replacement } from '../../text/index.ts';
import { loadDialect } from '../load-dialect.ts';
import { MAX_RENDER_LENGTH } from '../render-limits.ts';
import { describeMissing } from './describe-missing.ts';
import { moveLinks } from './move-links.ts';
import { TextBuilder, type TextOrigin } from './text-builder.ts';

export interface PageWithParts {
  readonly path: RepoPath;
  readonly text: string;
  /** The key of its reading. */
  readonly dialect: string;
  readonly parts: readonly PagePart[];
}

export interface ComposedPage {
  readonly text: string;
  readonly origins: readonly TextOrigin[];
}

/**
 * The text of a page with the files that it takes in, as its builder puts them together. Links of a part lead from the
 * page to where they led from the part. What cannot be shown leaves a note in its place. `bytesOf` answers undefined for a
 * file whose bytes are not kept.
 */
export async function composePage(
  page: PageWithParts,
  bytesOf: (oid: Oid) => Uint8Array | undefined,
): Promise<ComposedPage> {
  const dialect = await loadDialect(page.dialect);
  const composition = new Composition(page, dialect, await dialect.reading.load(), bytesOf);
  return composition.compose();
}

/** The text of parts that is looked through for one page, in UTF-16 code units. */
const MAX_READ = 5 * MAX_RENDER_LENGTH;

/** A replacement of the text, or a file that goes there. */
type Change = { readonly start: number; readonly end: number } & (
  | { readonly text: string }
  | { readonly include: Include }
);

class Composition {
  readonly #page: PageWithParts;
  readonly #dialect: Dialect;
  readonly #reader: ReadBytes;
  readonly #bytesOf: (oid: Oid) => Uint8Array | undefined;
  readonly #parts: ReadonlyMap<string, PagePart>;
  readonly #builder = new TextBuilder();
  readonly #sources = new Map<RepoPath, PartSource | string>();
  /** The files that stand around what is written, the page first. */
  readonly #open: RepoPath[] = [];
  #shown = 0;
  /** UTF-16 code units of parts that were looked through. */
  #read = 0;

  constructor(
    page: PageWithParts,
    dialect: Dialect,
    reader: ReadBytes,
    bytesOf: (oid: Oid) => Uint8Array | undefined,
  ) {
    this.#page = page;
    this.#dialect = dialect;
    this.#reader = reader;
    this.#bytesOf = bytesOf;
    this.#parts = new Map(page.parts.map((part) => [keyOf(part.in, part.target), part]));
  }

  compose(): ComposedPage {
    this.#addFile(this.#page.path, this.#page.text, allLines, '');
    return { text: this.#builder.text(), origins: this.#builder.origins };
  }

  #addFile(path: RepoPath, text: string, covers: (line: number) => boolean, indent: string): void {
    this.#open.push(path);
    const changes = this.#changesIn(path, text);
    const lines = new SourceText(text);
    let next = 0;
    for (const { start, end } of lines.ranges(covers)) {
      let at = start;
      for (; next < changes.length; next += 1) {
        const change = changes[next] as Change;
        if (change.start >= end) break;
        if (change.start < at) continue;
        this.#builder.add(text.slice(at, change.start), lines.positionAt(path, at), indent);
        if ('text' in change) this.#builder.add(change.text, null, indent);
        else this.#addPart(path, { text, lines }, change.include, indent);
        at = Math.min(change.end, end);
      }
      this.#builder.add(text.slice(at, end), lines.positionAt(path, at), indent);
    }
    this.#open.pop();
  }

  #changesIn(path: RepoPath, text: string): readonly Change[] {
    const { includes, marks = [] } = this.#dialect.findIncludes?.(text) ?? { includes: [] };
    const changes: Change[] = [
      ...includes.map((include) => ({ start: include.start, end: include.end, include })),
      ...marks.map((mark) => ({ ...mark, text: '' })),
      ...this.#movedLinks(path, text),
    ];
    return changes.sort((a, b) => a.start - b.start);
  }

  #movedLinks(path: RepoPath, text: string): readonly Replacement[] {
    const { path: page } = this.#page;
    const source = path === page || this.#dialect.movesLinks !== true ? undefined : this.#sources.get(path);
    if (source === undefined || typeof source === 'string') return [];
    return moveLinks(text, source.facts().references, { part: path, page });
  }

  #addPart(
    file: RepoPath,
    { text, lines }: { readonly text: string; readonly lines: SourceText },
    include: Include,
    indent: string,
  ): void {
    const taken = this.#take(file, include);
    const isFull = this.#builder.length > MAX_RENDER_LENGTH;
    if (taken === null || (isFull && typeof taken === 'string')) {
      const { start, end } = include;
      this.#builder.add(text.slice(start, end), lines.positionAt(file, start), indent);
    } else if (typeof taken === 'string') {
      this.#builder.add(describeMissing(lines, include, { problem: taken, indent }), null, indent);
    } else if (taken.kind === 'code') {
      this.#builder.add(taken.text, null, indent + (taken.indent ?? ''));
    } else {
      const inner = indent + (taken.indent ?? '');
      const apart = taken.isApart === true ? '\n' : '';
      // Its first line needs the indent that stood before the directive.
      if (apart !== '') this.#builder.add(`${apart}${inner}`, null);
      this.#addFile(taken.path, taken.text, taken.covers, inner);
      this.#builder.add(apart, null);
    }
  }

  /** What of a file is shown, or the sentence why it is not; null for what stays as it is written. */
  #take(
    file: RepoPath,
    include: Include,
  ):
    | Extract<IncludedLines, { kind: 'code' }>
    | (Extract<IncludedLines, { kind: 'lines' }> & Opened)
    | string
    | null {
    const part = this.#parts.get(keyOf(file, include.target));
    if (part === undefined) return null;
    if ('problem' in part) return part.problem;
    if (this.#open.includes(part.path)) return 'It would stand in its own text.';
    if (this.#open.length > MAX_PART_DEPTH)
      return `Files that take each other in are shown to a depth of ${MAX_PART_DEPTH}.`;
    if (this.#shown >= MAX_PAGE_PARTS) return `A page shows the text of ${MAX_PAGE_PARTS} files at most.`;
    const source = this.#sourceOf(part.path, part.oid);
    if (typeof source === 'string') return source;
    // What is looked through counts, as one line may be taken of a large file, again and again.
    this.#read += source.text.length;
    if (this.#read > MAX_READ) return 'The page would be too long.';
    const taken = include.extract(source);
    if (taken === null) return 'The file has no part of this name.';
    const length = this.#builder.length + (taken.kind === 'code' ? taken.text : source.text).length;
    if (length > MAX_RENDER_LENGTH) return 'The page would be too long.';
    this.#shown += 1;
    return taken.kind === 'code' ? taken : { ...taken, path: part.path, text: source.text };
  }

  #sourceOf(path: RepoPath, oid: Oid): PartSource | string {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const bytes = this.#bytesOf(oid);
    const source =
      bytes === undefined
        ? 'The file is too large.'
        : bytes.includes(0)
          ? 'The file is no text.'
          : sourceOf(bytes, this.#reader);
    this.#sources.set(path, source);
    return source;
  }
}

interface Opened {
  readonly path: RepoPath;
  readonly text: string;
}

function sourceOf(bytes: Uint8Array, read: ReadBytes): PartSource {
  let facts: ReturnType<ReadBytes> | null = null;
  return {
    text: decodeText(bytes).text.replace(/\r?\n$/, ''),
    facts() {
      facts ??= read(bytes);
      return facts;
    },
  };
}

function keyOf(file: RepoPath, target: string): string {
  return `${file}\0${target}`;
}
