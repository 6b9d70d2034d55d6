import {
  emptyFacts,
  type FileFacts,
  MAX_CONTENTS_ENTRIES,
  MAX_PAGE_BYTES,
  MAX_PATH_LENGTH,
  MAX_REFERENCES,
  type Problem,
  pointerFacts,
  tooLargeFacts,
  unreadFacts,
} from '../model/index.ts';
import { decodeText, isLfsPointer } from '../text/index.ts';
import { exampleTargets } from './example-targets.ts';
import { locateFrontMatterLinks, readFrontMatter } from './front-matter.ts';
import { COSTLY_CODE, isCostlyMdx } from './guard-mdx.ts';
import { guardSource } from './guard-source.ts';
import { includedTexts } from './included-texts.ts';
import type { PageTree } from './page-tree.ts';
import { walkPage } from './page-walk.ts';
import { parsePage } from './parse-page.ts';
import { readContents } from './read-contents.ts';
import type { ReadingOptions } from './reading.ts';
import { hideSlashes } from './unquoted-values.ts';

/** What the text of a page says that a build replaces. */
const MADE_IN_BUILD =
  /\b(?:generated|replaced|filled)\b[^.\n]{0,60}\b(?:at|in|during|by|on)\b[^.\n]{0,20}\bbuild\b|\bstub (?:file|page)\b/i;

const MAX_STUB_LENGTH = 1_000;

/** A mark that stands alone among the paragraphs of a page, in whose place a program writes a part of it: `@OPTIONS@`. */
const FILLED_PART = /(?:^|\r?\n[ \t]*\r?\n)@[A-Z][A-Z\d]*_[A-Z\d_]+@[ \t]*(?:$|\r?\n[ \t]*(?:$|\r?\n))/;

/** Whether a page is but a place for what a build writes there, or has such a place. */
function isFilledLater(text: string, anchors: number): boolean {
  if (text.includes('_') && FILLED_PART.test(text)) return true;
  return anchors <= 1 && text.length <= MAX_STUB_LENGTH && MADE_IN_BUILD.test(text);
}

/** Reads a page of Markdown. Never throws: whatever is wrong with the file becomes one of its `problems`. */
export function readPage(bytes: Uint8Array, options: ReadingOptions): FileFacts {
  if (bytes.length > MAX_PAGE_BYTES) return tooLargeFacts();
  if (isLfsPointer(bytes)) return pointerFacts();
  const { text, problem } = decodeText(bytes);
  const problems: Problem[] = problem === null ? [] : [{ message: problem, line: null }];
  try {
    const prepared = options.prepare?.(text) ?? { source: text };
    const guarded = guardSource(prepared.source);
    problems.push(...guarded.problems);
    const source = hideSlashes(guarded.source);
    // Read as Markdown it would have other headings and links than readers see.
    if (options.syntax === 'mdx' && isCostlyMdx(source))
      return unreadFacts(`${COSTLY_CODE} Neither its links nor its headings were read.`);
    const tree = parsePage(source, options.syntax);
    const matter = readRootFrontMatter(tree, problems);
    const hooks = prepared.titleOf === undefined ? options : { ...options, titleOf: prepared.titleOf };
    const page = walkPage(tree, source, hooks, (recorder) => {
      for (const link of locateFrontMatterLinks(options.frontMatterLinks?.(matter.values) ?? [], matter)) {
        recorder.addReference('front-matter', link.target, link, { carrier: link.key });
      }
      prepared.after?.(recorder);
    });
    if (page.isFull) {
      problems.push({
        message: `The file contains more than ${MAX_REFERENCES} links or headings; the rest was not read.`,
        line: null,
      });
    }
    const contents = options.hasContents === true ? readContents(tree.toMdast()) : null;
    if (contents?.isFull === true) {
      problems.push({
        message: `The table of contents has more than ${MAX_CONTENTS_ENTRIES} entries; the rest is left out of the navigation.`,
        line: null,
      });
    }
    const examples = exampleTargets(source, page.references);
    const included = includedTexts(source);
    return ownFacts({
      references: page.references,
      anchors: page.anchors,
      title: page.title,
      frontMatter: matter.values,
      problems,
      complete: problem === null && guarded.problems.length === 0 && !page.isFull,
      symlinkTarget: readSymlinkTarget(bytes, text),
      contents: contents?.entries ?? null,
      ...(page.anchors.length > 0 ? { lines: countLines(text) } : {}),
      ...(page.opensAnchors || isFilledLater(text, page.anchors.length) ? { opensAnchors: true } : {}),
      ...(examples.length > 0 ? { examples } : {}),
      ...(included.length > 0 ? { includedTexts: included } : {}),
      ...(page.regions.length > 0 ? { regions: page.regions } : {}),
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
 * Copies the facts: a substring retains the whole text in memory, and there are many pages. Facts are JSON, so that a
 * round trip is quick.
 */
function ownFacts(facts: FileFacts): FileFacts {
  return JSON.parse(JSON.stringify(facts));
}

/** A final line break does not begin another line. */
function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
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
