import { saveContentIds } from '../../store/content-ids.ts';
import type { Db } from '../../store/db.ts';
import { succeedOperation } from '../../store/git-operations.ts';
import { newId } from '../../store/new-id.ts';
import { insertRevision, moveRevisionCommit, type RevisionRow } from '../../store/revisions.ts';
import { type GitSync, type SpaceRow, showRevision } from '../../store/spaces.ts';
import { LostTurn } from './operation-fault.ts';
import type { ImportContext, ImportedContent } from './run-import.ts';
import type { StoredImport } from './stored-import.ts';

/** The commit that was imported. */
export interface SourceCommit {
  readonly oid: string;
  readonly message: string;
  /** The commit's whole tree, and the one below the space's directory. */
  readonly rootTreeOid: string;
  readonly treeOid: string;
  readonly ref: string;
  /** For people; null when it is not known. */
  readonly url: string | null;
  /** Names all that the content is derived from. */
  readonly inputs: string;
}

/** Writes the revision, shows it (unless it is a standalone one) and ends the operation: all of it, or nothing. */
export async function publishRevision(
  context: ImportContext,
  space: SpaceRow,
  content: ImportedContent,
  source: SourceCommit,
): Promise<void> {
  const { run } = context;
  const { derived } = content;
  const revisionId = newId();
  await context.deps.db.transaction(async (tx) => {
    await end(tx, context, {
      revisionId,
      commitOid: source.oid,
      unchanged: false,
      message: describe(content),
    });
    await insertRevision(
      tx,
      {
        id: revisionId,
        spaceId: space.id,
        parents: content.parent === null ? [] : [content.parent],
        type: 'edits',
        standalone: run.standalone,
        directory: content.directory,
        format: content.format,
        counts: derived.counts,
        digest: derived.digest,
        ...commitFields(source),
      },
      {
        pages: derived.pages.map((page) => ({ revisionId, ...page })),
        files: derived.files.map((file) => ({ revisionId, ...file })),
        links: derived.links.map((link) => ({ revisionId, ...link })),
      },
    );
    await saveContentIds(tx, space.id, content.names.changes());
    if (!run.standalone) await show(tx, context, space.id, revisionId);
  });
}

/** The content is there already: only the commit that it stands for moves. */
export async function publishUnchanged(
  context: ImportContext,
  space: SpaceRow,
  revision: RevisionRow,
  source: SourceCommit,
): Promise<void> {
  const { run } = context;
  await context.deps.db.transaction(async (tx) => {
    await end(tx, context, {
      revisionId: revision.id,
      commitOid: source.oid,
      unchanged: true,
      message: 'The content is the same as before; no new revision was needed.',
    });
    if (run.standalone) return;
    await moveRevisionCommit(tx, revision.id, commitFields(source));
    await show(tx, context, space.id, revision.id);
  });
}

async function end(
  tx: Db,
  { run }: ImportContext,
  result: Parameters<typeof succeedOperation>[2],
): Promise<void> {
  // First, because it locks the operation: a run that lost its turn writes nothing.
  if (!(await succeedOperation(tx, run, result))) throw new LostTurn('Another run took over.');
}

function commitFields(source: SourceCommit) {
  return {
    commitOid: source.oid,
    treeOid: source.treeOid,
    rootTreeOid: source.rootTreeOid,
    inputs: source.inputs,
    ref: source.ref,
    message: source.message,
    commitUrl: source.url,
  };
}

async function show(tx: Db, { run }: ImportContext, spaceId: string, revisionId: string): Promise<void> {
  const request = run.request as StoredImport;
  const gitSync: GitSync = {
    repoName: repoNameOf(request.gitInfo?.url ?? request.url),
    url: request.gitInfo?.url ?? request.url,
    updatedAt: new Date().toISOString(),
    ...(request.gitInfo ? { installationProvider: request.gitInfo.provider } : {}),
  };
  await showRevision(tx, spaceId, { revisionId, gitSync });
}

/** `owner/name` of an address, as people call a repository. */
function repoNameOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  return decodeURIComponent(path.replace(/\.git$/, '').replace(/^\/+|\/+$/g, ''));
}

function describe({ derived: { counts } }: ImportedContent): string {
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `Imported ${plural(counts.pages, 'page')} and ${plural(counts.files, 'file')} with ${plural(counts.links, 'link')}, ${counts.broken} of them broken.`;
}
