import { MAX_PAGE_BYTES, MAX_PATH_LENGTH, MAX_REFERENCES } from '../limits.ts';
import type { FileFacts, Place, Problem, ReferenceKind } from '../model.ts';
import { decodeText } from './decode-text.ts';
import { type FrontMatterLink, placeFrontMatterLinks, readFrontMatter } from './front-matter.ts';
import { guardSource } from './guard-source.ts';
import type { HeadingNamer } from './heading-names.ts';
import type { PageNode, PageTree } from './page-tree.ts';
import { walkPage } from './page-walk.ts';
import { parsePage } from './parse-page.ts';
import { readContents } from './read-contents.ts';
import { hideSlashes } from './unquoted-values.ts';

/** One way to read the bytes of a file. Facts are kept per blob and `key`, so equal keys must mean equal answers. */
export interface Reading {
  readonly key: string;
  /** Never throws: whatever is wrong with the file is one of its `problems`. */
  read(bytes: Uint8Array): FileFacts;
  /** For pages: how they are read, so that they are shown in the same way. */
  readonly options?: ReadingOptions;
}

/** How a format's files differ from plain Markdown as GitHub reads it. Everything may be left out. */
export interface ReadingOptions {
  /** Names these options; `''` is plain Markdown. */
  readonly key: string;
  /** `mdx` also reads components and falls back to Markdown for text that is no valid MDX. */
  readonly syntax?: 'markdown' | 'mdx';
  /** The file is a table of contents. */
  readonly hasContents?: boolean;
  /** A fresh namer of anchors for each page; GitHub's when left out. */
  readonly headings?: () => HeadingNamer;
  /**
   * Sees the text before it is parsed: takes out what is no Markdown (blocks, templates), one code unit for one so that
   * places stay true, and may add what it found afterwards.
   */
  readonly prepare?: (source: string) => PreparedSource;
  /** HTML elements, besides `h1` to `h6`, whose text names an anchor as a heading's does; as of level 0. */
  readonly headingElements?: readonly string[];
  /** Sees every node of `PageNode`'s types, the children's parents first. */
  readonly enter?: (node: PageNode, page: PageNotes) => void;
  /** The carrier of a link that the text right behind it makes another than Markdown's; null for the others. */
  readonly carrierOfLink?: (textBehind: string) => string | null;
  /**
   * Sees every HTML tag (its name in lower case) and every component of MDX. The value of an attribute that is an
   * expression is its text with the braces.
   */
  readonly tag?: (
    name: string,
    attributes: ReadonlyMap<string, string>,
    place: Place,
    page: PageNotes,
  ) => void;
  /** True when `tag` reads the files of `video`, `audio` and their kin itself. */
  readonly ownsMedia?: boolean;
  /** The links that front matter holds. */
  readonly frontMatterLinks?: (values: FileFacts['frontMatter']) => readonly FrontMatterLink[];
}

export interface PreparedSource {
  readonly source: string;
  readonly after?: (page: PageNotes) => void;
}

/** What a format may note about the page that is being read. */
export interface PageNotes {
  addReference(
    kind: ReferenceKind,
    target: string,
    place: Place,
    more?: { readonly text?: string; readonly carrier?: string },
  ): void;
  /** An anchor without a heading, as written. */
  addAnchor(name: string, line: number): void;
  /** An anchor that is named as headings are, such as a tab's title. */
  addHeading(text: string, level: number, line: number): void;
  /** See `FileFacts.variables`. */
  addVariable(name: string, line: number): void;
  /** See `FileFacts.opensAnchors`. */
  openAnchors(): void;
}

export function createReading(options: ReadingOptions): Reading {
  return { key: options.key, options, read: (bytes) => readPage(bytes, options) };
}

function readPage(bytes: Uint8Array, options: ReadingOptions): FileFacts {
  if (bytes.length > MAX_PAGE_BYTES) return tooLargeFacts();
  const { text, problem } = decodeText(bytes);
  const problems: Problem[] = problem === null ? [] : [{ message: problem, line: null }];
  try {
    const prepared = options.prepare?.(text) ?? { source: text };
    const guarded = guardSource(prepared.source);
    problems.push(...guarded.problems);
    const source = hideSlashes(guarded.source);
    const tree = parsePage(source, options.syntax);
    const matter = readRootFrontMatter(tree, problems);
    const page = walkPage(tree, source, options, (notes) => {
      for (const link of placeFrontMatterLinks(options.frontMatterLinks?.(matter.values) ?? [], matter)) {
        notes.addReference('front-matter', link.target, link, { carrier: link.key });
      }
      prepared.after?.(notes);
    });
    if (page.isFull) {
      problems.push({
        message: `The file holds more than ${MAX_REFERENCES} links or headings; the rest was not read.`,
        line: null,
      });
    }
    return ownFacts({
      references: page.references,
      anchors: page.anchors,
      title: page.title,
      frontMatter: matter.values,
      problems,
      complete: problem === null && guarded.problems.length === 0 && !page.isFull,
      symlinkTarget: readSymlinkTarget(bytes, text),
      contents: options.hasContents === true ? readContents(tree.toMdast()) : null,
      ...(page.opensAnchors ? { opensAnchors: true } : {}),
      ...(page.variables.length > 0 ? { variables: page.variables } : {}),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return emptyFacts({
      message: `The file could not be read as Markdown: ${reason.slice(0, 200)}`,
      line: null,
    });
  }
}

/**
 * The same facts in memory of their own: a part of a text keeps the whole text, and pages are many. Facts are JSON, so
 * that this is quick.
 */
function ownFacts(facts: FileFacts): FileFacts {
  return JSON.parse(JSON.stringify(facts));
}

/** What is known of a file above `MAX_PAGE_BYTES`, which need not be fetched for that. */
export function tooLargeFacts(): FileFacts {
  const limit = MAX_PAGE_BYTES / 1024 / 1024;
  return emptyFacts({ message: `The file is larger than ${limit} MB and was not read.`, line: null });
}

function readRootFrontMatter(tree: PageTree, problems: Problem[]) {
  const id = tree.firstChild(tree.root);
  const first = id === null ? null : tree.node(id);
  if (first?.type !== 'yaml') return { values: {}, source: '', firstLine: 1 };
  const firstLine = (first.position?.start.line ?? 1) + 1;
  const { values, problem } = readFrontMatter(first.value, firstLine);
  if (problem !== null) problems.push(problem);
  return { values, source: first.value, firstLine };
}

function readSymlinkTarget(bytes: Uint8Array, text: string): string | null {
  if (bytes.length === 0 || bytes.length > MAX_PATH_LENGTH || /[\0\n]/.test(text)) return null;
  return text;
}

function emptyFacts(problem: Problem): FileFacts {
  return {
    references: [],
    anchors: [],
    title: null,
    frontMatter: {},
    problems: [problem],
    complete: false,
    symlinkTarget: null,
    contents: null,
  };
}
