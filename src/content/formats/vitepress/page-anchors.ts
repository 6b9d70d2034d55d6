import { githubHeadings } from '../../facts/heading-names.ts';
import type { Anchor, FileFacts, RepoPath } from '../../model.ts';
import { isInside } from '../../tree/page-files.ts';
import type { FilesRead } from '../format.ts';
import { anchorsWithParts, type IncludedPart } from '../included-anchors.ts';
import { type OtherFiles, PageMemo } from '../page-memo.ts';
import { snippetPath } from './vitepress-candidates.ts';
import { vitepressHeadings } from './vitepress-headings.ts';
import { SNIPPET } from './vitepress-reading.ts';
import type { VitepressSite } from './vitepress-site.ts';

interface PageAnchors {
  readonly names: ReadonlySet<string>;
  /** Whether something may make anchors that nobody can tell. */
  readonly isOpen: boolean;
}

/** What pages offer to fragments, with what they take in of other files. */
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
        // What stands outside the source folder is read as GitHub shows it.
        headingsOf: (path) => (isInSource(this.#site, path) ? vitepressHeadings : githubHeadings),
        partsOf: (path, one) => partsOf(this.#site, path, one, files),
      });
      return {
        names: new Set(found.anchors.map((one) => one.name)),
        isOpen:
          found.facts.some((one) => one.opensAnchors === true) ||
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
  files: OtherFiles,
): readonly IncludedPart[] {
  return references.flatMap(({ carrier, target, text, line }) => {
    if (carrier !== 'include' || text === SNIPPET) return [];
    const included = snippetPath(site, path, target);
    if (included === null || !/\.(?:md|mdx|markdown)$/i.test(included)) return [];
    const facts = files.facts(included);
    return [{ line, path: included, facts, covers: linesOf(text, facts) }];
  });
}

/**
 * The lines that `{2,10}` takes, from the first to the last; and `#name`, the regions of that name, or where there are none
 * what stands below that heading in its section. All lines for a name that nothing has.
 */
function linesOf(part: string, facts: FileFacts | undefined): (line: number) => boolean {
  const { anchors = [], regions = [] } = facts ?? {};
  const [, name, from = '', to = ''] = /^(?:#([^\s{]+))?(?:\{(\d*),(\d*)\})?$/.exec(part) ?? [];
  const named = regions.filter((one) => one.name === name);
  if (named.length > 1) return (line) => named.some((one) => line >= one.line && line <= one.endLine);
  const [region] = named;
  const section =
    name === undefined
      ? null
      : region === undefined
        ? sectionOf(name, anchors)
        : ([region.line, region.endLine] as const);
  if (name !== undefined && section === null) return () => true;
  const [start, end] = section ?? [1, Number.POSITIVE_INFINITY];
  // Lines are counted in what the name took.
  const first = from === '' ? start : start + Number(from) - 1;
  const last = to === '' ? end : Math.min(end, start + Number(to) - 1);
  return (line) => line >= first && line <= last;
}

/** From below a heading to before the next one that is no part of its section. */
function sectionOf(name: string, anchors: readonly Anchor[]): readonly [number, number] | null {
  const headings = anchors.filter((one) => one.heading !== null).toSorted((a, b) => a.line - b.line);
  const heading = headings.find((one) => one.name === name);
  if (heading === undefined) return null;
  const next = headings.find((one) => one.line > heading.line && one.level <= heading.level);
  return [heading.line + 1, next === undefined ? Number.POSITIVE_INFINITY : next.line - 1];
}
