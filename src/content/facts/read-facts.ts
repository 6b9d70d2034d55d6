import type { Root } from 'mdast';
import { MAX_PAGE_BYTES, MAX_PATH_LENGTH, MAX_REFERENCES } from '../limits.ts';
import type { FileFacts, Problem, RepoPath } from '../model.ts';
import { isSummaryFile } from '../tree/page-files.ts';
import { decodeText } from './decode-text.ts';
import { readFrontMatter } from './front-matter.ts';
import { guardSource } from './guard-source.ts';
import { walkPage } from './page-walk.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { readContents } from './read-contents.ts';

/**
 * Reads what one Markdown file says about itself: links, anchors, title, front matter. The answer depends on the
 * bytes alone, but for the table of contents of a `SUMMARY.md`; `factsKey` names what may share one answer.
 * Never throws: whatever is wrong with the file is one of its `problems`.
 */
export function readFacts(path: RepoPath, bytes: Uint8Array): FileFacts {
  if (bytes.length > MAX_PAGE_BYTES) return tooLargeFacts();
  const { text, problem } = decodeText(bytes);
  const problems: Problem[] = problem === null ? [] : [{ message: problem, line: null }];
  try {
    const guarded = guardSource(text);
    problems.push(...guarded.problems);
    const root = parseMarkdown(guarded.source);
    const page = walkPage(root, guarded.source);
    if (page.isFull) {
      problems.push({
        message: `The file holds more than ${MAX_REFERENCES} links or headings; the rest was not read.`,
        line: null,
      });
    }
    const frontMatter = readRootFrontMatter(root, problems);
    return {
      references: page.references,
      anchors: page.anchors.anchors,
      title: page.title,
      frontMatter,
      problems,
      complete: problem === null && guarded.problems.length === 0 && !page.isFull,
      symlinkTarget: readSymlinkTarget(bytes, text),
      contents: isSummaryFile(path) ? readContents(root) : null,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return emptyFacts({
      message: `The file could not be read as Markdown: ${reason.slice(0, 200)}`,
      line: null,
    });
  }
}

/** What is known of a file above `MAX_PAGE_BYTES`, which need not be fetched for that. */
export function tooLargeFacts(): FileFacts {
  const limit = MAX_PAGE_BYTES / 1024 / 1024;
  return emptyFacts({ message: `The file is larger than ${limit} MB and was not read.`, line: null });
}

/** Blobs with the same key have the same facts. `oid` is the blob's, `path` where the tree holds it. */
export function factsKey(oid: string, path: RepoPath): string {
  return isSummaryFile(path) ? `${oid}:contents` : oid;
}

function readRootFrontMatter(root: Root, problems: Problem[]): FileFacts['frontMatter'] {
  const first = root.children[0];
  if (first?.type !== 'yaml') return {};
  const { values, problem } = readFrontMatter(first.value, (first.position?.start.line ?? 1) + 1);
  if (problem !== null) problems.push(problem);
  return values;
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
