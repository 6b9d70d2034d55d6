import { readingOfMarkdown } from '../../src/content/facts/markdown-reading.ts';
import type { FileFacts, RepoPath } from '../../src/content/index.ts';
import { readAtOnce } from './analysis-of.ts';

/** What one Markdown file says about itself: links, anchors, title, front matter. */
export function readFacts(path: RepoPath, bytes: Uint8Array): FileFacts {
  return readAtOnce(readingOfMarkdown(path), bytes);
}
