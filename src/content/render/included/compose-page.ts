import {
  allLines,
  type Dialect,
  type Include,
  type IncludedLines,
  type PartSource,
  SourceText,
} from '../../dialect/index.ts';
import type { PagePart } from '../../engine/index.ts';
import { loadDialect } from '../../engine/index.ts';
import { MAX_PAGE_PARTS, MAX_PART_DEPTH, type Oid, type RepoPath } from '../../model/index.ts';
import type { ReadBytes } from '../../parse/index.ts';
import { decodeText, type Replacement } from '../../text/index.ts';
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
 * Returns the text of a page with the files that it includes, as its builder inserts them. Relative links of an included
 * file are rewritten for the page. A file that cannot be shown is replaced with a notice. `bytesOf` returns undefined for
 * a file whose bytes are not stored.
 */
export async function composePage(
  page: PageWithParts,
  bytesOf: (oid: Oid) => Uint8Array | undefined,
): Promise<ComposedPage> {
  const dialect = await loadDialect(page.dialect);
  const composition = new Composition(page, dialect, await dialect.reading.load(), bytesOf);
  return composition.compose();
}

/** The maximum length of the included files that are read for one page, in UTF-16 code units. */
const MAX_READ = 5 * MAX_RENDER_LENGTH;

/** A replacement of text, or a file to insert. */
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
  /** The files that are being written, the page first and each included by the one before. */
  readonly #open: RepoPath[] = [];
  #shown = 0;
  /** The length of the included files that were read, in UTF-16 code units. */
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
    const content = this.#contentOf(file, include);
    const isFull = this.#builder.length > MAX_RENDER_LENGTH;
    if (content === null || (isFull && typeof content === 'string')) {
      const { start, end } = include;
      this.#builder.add(text.slice(start, end), lines.positionAt(file, start), indent);
    } else if (typeof content === 'string') {
      this.#builder.add(describeMissing(lines, include, { problem: content, indent }), null, indent);
    } else if (content.kind === 'code') {
      this.#builder.add(content.text, null, indent + (content.indent ?? ''));
    } else {
      const inner = indent + (content.indent ?? '');
      const apart = content.isApart === true ? '\n' : '';
      // The first line needs the indent of the directive.
      if (apart !== '') this.#builder.add(`${apart}${inner}`, null);
      this.#addFile(content.path, content.text, content.covers, inner);
      this.#builder.add(apart, null);
    }
  }

  /** Returns the content of a file to show, or a sentence that says why there is none; null to leave the directive as written. */
  #contentOf(
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
    if (this.#open.includes(part.path)) return 'The file would include itself.';
    if (this.#open.length > MAX_PART_DEPTH)
      return `Files that include each other are shown to a depth of ${MAX_PART_DEPTH}.`;
    if (this.#shown >= MAX_PAGE_PARTS) return `A page shows at most ${MAX_PAGE_PARTS} included files.`;
    const source = this.#sourceOf(part.path, part.oid);
    if (typeof source === 'string') return source;
    // The whole file counts, because a single line of a large file may be included again and again.
    this.#read += source.text.length;
    if (this.#read > MAX_READ) return 'The page would be too long.';
    const extract = include.extract(source);
    if (extract === null) return 'The file has no part of this name.';
    const length = this.#builder.length + (extract.kind === 'code' ? extract.text : source.text).length;
    if (length > MAX_RENDER_LENGTH) return 'The page would be too long.';
    this.#shown += 1;
    return extract.kind === 'code' ? extract : { ...extract, path: part.path, text: source.text };
  }

  #sourceOf(path: RepoPath, oid: Oid): PartSource | string {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const bytes = this.#bytesOf(oid);
    const source =
      bytes === undefined
        ? 'The file is too large.'
        : bytes.includes(0)
          ? 'The file is not text.'
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
