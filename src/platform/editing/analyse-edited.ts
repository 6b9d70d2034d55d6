import type { FormatName, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import type { RevisionOrigin } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import type { BlobReader } from '../revisions/blob-reader.ts';
import { toTree } from '../revisions/derive-revision.ts';
import { type FoundFormat, findFormat } from '../revisions/find-format.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import type { EditedContent } from './locate-edited.ts';

/** A content with some texts that are stored nowhere. */
export interface AnalysedEdit {
  readonly tree: readonly TreeEntry[];
  readonly format: FoundFormat;
  readonly readBlobs: BlobReader;
  readonly analysis: SpaceAnalysis;
}

/** Analyses content as it would be with other texts, by path. Nothing is stored. */
export async function analyseEdited(
  deps: PlatformDeps,
  { space, revision, rows }: EditedContent,
  texts: ReadonlyMap<string, string>,
): Promise<AnalysedEdit> {
  const fresh = new Map<string, Uint8Array>();
  const tree = withTexts(toTree(rows), texts, fresh);
  const readBlobs = createStoredReader(deps, space.id, { fresh });
  const { directory } = revision;
  const format = await findFormat(directory, tree, readBlobs, {
    cache: deps.deriver.formats,
    spaceId: space.id,
    before: revision.format as FormatName,
  });
  const { repository } = revision.origin as RevisionOrigin;
  const analysis = await deps.deriver.engineOf(space).analyse({
    tree,
    directory,
    ...format,
    ...(repository === undefined ? {} : { repository }),
    read: (entries) => readBlobs(entries.map(({ oid }) => oid)),
  });
  return { tree, format, readBlobs, analysis };
}

function withTexts(
  before: readonly TreeEntry[],
  texts: ReadonlyMap<string, string>,
  fresh: Map<string, Uint8Array>,
): readonly TreeEntry[] {
  const hash = hashOf(before[0]?.oid ?? '');
  const changed = new Map(
    [...texts].map(([path, text]) => {
      const bytes = Buffer.from(text);
      const oid = objectOid('blob', bytes, hash);
      fresh.set(oid, bytes);
      return [path, { oid, size: bytes.length }];
    }),
  );
  const tree = before.map((entry) => {
    const own = changed.get(entry.path);
    changed.delete(entry.path);
    if (own === undefined || own.oid === entry.oid) return entry;
    return { ...entry, ...own, mode: entry.mode === 'executable' ? entry.mode : ('file' as const) };
  });
  if (changed.size === 0) return tree;
  const added = [...changed].map(([path, own]) => ({ path, ...own, mode: 'file' as const }));
  return [...tree, ...added].sort((a, b) => (a.path < b.path ? -1 : 1));
}
