import type { RepoPath } from '../model/index.ts';
import type { PageRecorder, PreparedSource, Reading } from '../parse/index.ts';
import { isSummaryFile } from '../tree/index.ts';
import { createReading } from './create-reading.ts';
import { hasEmptyBlock } from './empty-blocks.ts';
import { muteMath } from './mute-math.ts';

const opening = { after: (page: PageRecorder) => page.openAnchors() };

const prepare = (source: string): PreparedSource => ({
  source: muteMath(source),
  ...(hasEmptyBlock(source) ? opening : {}),
});

/** Plain Markdown as GitHub renders it, and a table of contents of it. */
export const markdownReading: Reading = createReading({ key: '', prepare });
export const contentsReading: Reading = createReading({ key: 'contents', prepare, hasContents: true });

/** Returns how plain Markdown is read at a path. */
export function readingOfMarkdown(path: RepoPath): Reading {
  return isSummaryFile(path) ? contentsReading : markdownReading;
}

/** Blobs with the same key have the same facts. `oid` is the blob's, `path` its path in the tree. */
export function factsKey(oid: string, path: RepoPath): string {
  return readingKey(oid, readingOfMarkdown(path));
}

export function readingKey(oid: string, reading: Reading): string {
  return reading.key === '' ? oid : `${oid}:${reading.key}`;
}
