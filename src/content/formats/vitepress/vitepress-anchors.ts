import type { FilesRead } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { githubHeadings } from '../../text/index.ts';
import { isInside } from '../../tree/index.ts';
import { anchorsWithParts, type IncludedPart } from '../included-anchors.ts';
import { type FileLookup, PageMemo } from '../page-memo.ts';
import { SNIPPET } from './include-directives.ts';
import { linesOfRange } from './included-lines.ts';
import { vitepressHeadings } from './vitepress-headings.ts';
import { includePath, type VitepressSite } from './vitepress-site.ts';

interface PageAnchors {
  readonly names: ReadonlySet<string>;
  /** Whether the page may have further anchors, which are not known. */
  readonly isOpen: boolean;
}

/** The anchors of pages, including those of the files that they include. */
export class PageAnchorsOf {
  readonly #site: VitepressSite;
  readonly #known: PageMemo<PageAnchors>;

  constructor(site: VitepressSite, files: FilesRead) {
    this.#site = site;
    this.#known = new PageMemo(files);
  }

  of(page: RepoPath, facts: FileFacts): PageAnchors {
    return this.#known.get(page, facts, (files) => {
      const found = anchorsWithParts(page, facts, {
        headings: vitepressHeadings,
        // Files outside the source folder are read as GitHub shows them.
        headingsOf: (path) => (isInSource(this.#site, path) ? vitepressHeadings : githubHeadings),
        partsOf: (path, candidate) => partsOf(this.#site, path, candidate, files),
      });
      return {
        names: new Set(found.anchors.map((anchor) => anchor.name)),
        isOpen:
          found.facts.some((candidate) => candidate.opensAnchors === true) ||
          found.unread.some((path) => path !== page && files.file(path) !== null),
      };
    });
  }
}

function isInSource({ source }: VitepressSite, path: RepoPath): boolean {
  return source === '' || isInside(path, source);
}

function partsOf(
  site: VitepressSite,
  path: RepoPath,
  { references }: FileFacts,
  files: FileLookup,
): readonly IncludedPart[] {
  return references.flatMap(({ carrier, target, text, line }) => {
    if (carrier !== 'include' || text === SNIPPET) return [];
    const included = includePath(site, path, target);
    if (included === null || !/\.(?:md|mdx|markdown)$/i.test(included)) return [];
    const facts = files.facts(included);
    return [{ line, path: included, facts, covers: linesOfRange(text, facts) }];
  });
}
