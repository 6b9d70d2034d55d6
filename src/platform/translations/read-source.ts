import type { FormatName, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { isPageFile } from '../../content/index.ts';
import type { Segment } from '../../content/translation/index.ts';
import type { RevisionOrigin, SpaceRow } from '../../store/index.ts';
import { contentThreads } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import type { BlobReader } from '../revisions/blob-reader.ts';
import { toTree } from '../revisions/derive-revision.ts';
import { findFormat } from '../revisions/find-format.ts';
import { type LoadedContent, loadContent } from '../revisions/load-content.ts';
import { createStoredReader } from '../revisions/read-stored.ts';

/** A page of the source with its texts. */
export interface SourcePage {
  readonly path: string;
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Why it has none, in one sentence; null elsewhere. */
  readonly problem: string | null;
}

/** A revision to translate. */
export interface TranslationSource {
  readonly content: LoadedContent;
  readonly tree: readonly TreeEntry[];
  readonly analysis: SpaceAnalysis;
  readonly pages: readonly SourcePage[];
  /** Analyses the same space with other bytes in some of its files. */
  analyse(tree: readonly TreeEntry[], readBlobs: BlobReader): Promise<SpaceAnalysis>;
}

export async function readSourceSpace(
  deps: PlatformDeps,
  space: SpaceRow,
  revisionId: string,
): Promise<TranslationSource> {
  const content = await loadContent(deps, space, revisionId);
  const { revision, rows } = content;
  const tree = toTree(rows);
  const readStored = createStoredReader(deps, space.id);
  const found = await findFormat(revision.directory, tree, readStored, {
    cache: deps.deriver.formats,
    spaceId: space.id,
    before: rows.entries.size === 0 ? null : (revision.format as FormatName),
  });
  const { repository } = revision.origin as RevisionOrigin;
  const analyse = (entries: readonly TreeEntry[], readBlobs: BlobReader) =>
    deps.deriver.engineOf(space).analyse({
      tree: entries,
      directory: revision.directory,
      ...found,
      ...(repository ? { repository } : {}),
      read: (files) => readBlobs(files.map((entry) => entry.oid)),
    });
  const analysis = await analyse(tree, readStored);
  const analysed = new Set(analysis.files);
  const sources = tree.filter(
    ({ path, mode }) => analysed.has(path) && isPageFile(path) && (mode === 'file' || mode === 'executable'),
  );
  const pages = await readSourcePages(sources, readStored);
  return { content, tree, analysis, pages, analyse };
}

/** The pages at these entries, with their texts; those whose bytes are not stored, or no text, are left out. */
export async function readSourcePages(
  entries: readonly TreeEntry[],
  readBlobs: BlobReader,
): Promise<SourcePage[]> {
  const texts = new Map<string, string>();
  for await (const { oid, bytes } of readBlobs([...new Set(entries.map((entry) => entry.oid))])) {
    const text = decode(bytes);
    if (text !== null) texts.set(oid, text);
  }
  const pages: SourcePage[] = [];
  for (const { path, oid } of entries) {
    const text = texts.get(oid);
    if (text !== undefined) pages.push({ path, text, ...(await contentThreads.findSegments(text, path)) });
  }
  return pages;
}

/** Decodes UTF-8; null for bytes that decoding and encoding would change. */
export function decode(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return Buffer.from(text).equals(bytes) ? text : null;
}
