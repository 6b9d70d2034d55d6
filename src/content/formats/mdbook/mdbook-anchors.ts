import type { AnchorQuery, AnchorVerdict, FilesRead } from '../../format-port/index.ts';
import { parseTarget } from '../../links/index.ts';
import type { FileFacts, Reference, RepoPath } from '../../model/index.ts';
import { githubHeadings } from '../../text/index.ts';
import { type AnchorsWithParts, anchorsWithParts, type IncludedPart } from '../included-anchors.ts';
import { type FileLookup, PageMemo } from '../page-memo.ts';
import type { BookPaths } from './book-paths.ts';
import { linesOfDirective } from './included-lines.ts';
import { mdbookHeadings } from './mdbook-headings.ts';

/** The anchors of a chapter and of the files that it includes. */
interface ChapterAnchors {
  readonly names: ReadonlySet<string>;
  /** Whether the chapter may have further anchors, which are not known. */
  readonly isOpen: boolean;
  /** Whether a file that the chapter includes was not read. */
  readonly lacksPart: boolean;
}

/** The file that a directive names, relative to the file that contains the directive. */
export function includedFile(file: RepoPath, reference: Pick<Reference, 'target' | 'kind'>): RepoPath | null {
  const { target } = parseTarget(file, reference);
  return target.kind === 'path' ? target.path : null;
}

/** Checks fragments against the anchors of chapters. */
export class ChapterAnchorsOf {
  readonly #book: BookPaths;
  readonly #known: PageMemo<ChapterAnchors>;

  constructor(book: BookPaths, files: FilesRead) {
    this.#book = book;
    this.#known = new PageMemo(files);
  }

  check({ anchor, page, facts }: AnchorQuery): AnchorVerdict {
    if (anchor === '' || anchor === 'top') return { status: 'ok' };
    const { names, isOpen, lacksPart } = this.#known.get(page, facts, (files) =>
      this.#collect(page, facts, files),
    );
    if (names.has(anchor) || this.#isRedirected(page, anchor)) return { status: 'ok' };
    const { ownPreprocessor } = this.#book.config;
    if (!isOpen && !lacksPart) {
      if (ownPreprocessor === null) return { status: 'broken', names };
      const message = `The preprocessor “${ownPreprocessor}” may make “${anchor}” in ${page}.`;
      return { status: 'unchecked', message, knownNames: names };
    }
    if (!isOpen) {
      return {
        status: 'unchecked',
        message: `A file that ${page} includes was not read, and “${anchor}” may stand in it.`,
        knownNames: names,
      };
    }
    const message = `A block of ${page} is written by a preprocessor, which may make “${anchor}”.`;
    return { status: 'unchecked', message, knownNames: names };
  }

  #collect(page: RepoPath, facts: FileFacts, files: FileLookup): ChapterAnchors {
    const { includes } = this.#book.config;
    const found: AnchorsWithParts = anchorsWithParts(page, facts, {
      headings: mdbookHeadings,
      // Files outside the source folder are read as GitHub shows them.
      headingsOf: (path) => (this.#book.inside(path) === null ? githubHeadings : mdbookHeadings),
      partsOf: (path, candidate) => (includes ? partsOf(path, candidate, files) : []),
    });
    return {
      names: new Set(found.anchors.map((anchor) => anchor.name)),
      isOpen: found.facts.some((candidate) => candidate.opensAnchors === true || !candidate.complete),
      lacksPart: found.unread.some((path) => /\.md$/i.test(path)),
    };
  }

  /** Whether `[output.html.redirect]` redirects a fragment of a page. */
  #isRedirected(page: RepoPath, anchor: string): boolean {
    const { redirects } = this.#book.config;
    const inside = this.#book.inside(page) ?? '';
    const address = inside.replace(/(^|\/)readme\.md$/i, '$1index.md').replace(/\.md$/, '.html');
    return redirects.has(`${address}#${anchor}`);
  }
}

function partsOf(path: RepoPath, facts: FileFacts, files: FileLookup): readonly IncludedPart[] {
  return facts.references.flatMap((reference) => {
    if (reference.carrier !== 'include') return [];
    const included = includedFile(path, reference);
    if (included === null || !/\.(?:md|markdown)$/i.test(included)) return [];
    const covers = linesOfDirective(reference.text);
    return [{ line: reference.line, path: included, facts: files.facts(included), covers }];
  });
}
