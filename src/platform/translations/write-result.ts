import {
  copySpaceBlobs,
  loadSpace,
  lockSpaceForUpdate,
  type RevisionOrigin,
  type SpaceRow,
  setRevision,
  type TranslationProblem,
  type TranslationRow,
  updateTranslation,
  upsertTexts,
} from '../../store/index.ts';
import { followComments } from '../comments/follow-job.ts';
import type { PlatformDeps } from '../deps.ts';
import { deriveRevision, toTreeMap } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { areSame, mergeTrees } from '../revisions/merge-trees.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { ContentMoved, writeRevision } from '../revisions/write-revision.ts';
import { createSpace } from '../spaces/create-space.ts';
import type { Composed } from './compose-pages.ts';
import type { LearnedCorrections } from './learn-corrections.ts';
import type { TranslationSource } from './read-source.ts';

export interface WrittenResult {
  readonly spaceId: string;
  readonly revisionId: string;
  /** How many pages differ from those of the previous result. */
  readonly pages: number;
  readonly problems: readonly TranslationProblem[];
}

/** Writes the composed pages into the result's space, merged with what people changed there. */
export async function writeResult(
  deps: PlatformDeps,
  row: TranslationRow,
  input: {
    readonly source: TranslationSource;
    readonly space: SpaceRow;
    readonly composed: Composed;
    readonly learned: LearnedCorrections;
  },
): Promise<WrittenResult> {
  const { source, composed, learned } = input;
  const space = await resultSpace(deps, row, input.space);
  const current = await loadContent(deps, space, space.revisionId);
  const ours = toTreeMap(current.rows);
  const lastWritten = await writtenTree(deps, space, row);
  const theirs = new Map(composed.tree.map((entry) => [entry.path, entry]));
  // The corrections that were learned from a page are already in the new one.
  const base = new Map(lastWritten ?? ours);
  for (const path of learned.fullyLearned) {
    const entry = ours.get(path);
    if (entry !== undefined) base.set(path, entry);
  }
  const merged = mergeTrees(base, ours, theirs);
  const problems = merged.conflicts.map((path) => ({
    path,
    line: 1,
    message:
      'People changed more of this page than its texts, so it stays as they wrote it; apply the changes of the source to it by hand.',
  }));
  const pages = composed.tree.filter(
    ({ path, oid }) =>
      composed.fresh.has(oid) && merged.tree.get(path)?.oid === oid && ours.get(path)?.oid !== oid,
  ).length;
  if (areSame(ours, merged.tree) && current.revision.directory === source.content.revision.directory) {
    return { spaceId: space.id, revisionId: current.revision.id, pages: 0, problems };
  }
  for (const batch of inBatches(composed.fresh)) await upsertTexts(deps.db, space.id, batch);
  const copied = { spaceId: source.content.revision.spaceId, oids: source.tree.map((entry) => entry.oid) };
  await copySpaceBlobs(deps.db, copied, space.id);
  const { directory, origin } = source.content.revision;
  const content = await deriveRevision(deps, {
    space,
    base: current.revision,
    tree: [...merged.tree.values()],
    directory,
    readBlobs: createStoredReader(deps, space.id, { fresh: composed.fresh }),
    formatOfSource: source.analysis.format,
    origin: origin as RevisionOrigin,
    becomesCurrent: true,
  });
  const revision = await deps.db.transaction(async (tx) => {
    const written = await writeRevision(
      tx,
      { space, base: current.revision, ...content, history: 'same' },
      { type: 'edits', directory, format: content.format, origin },
    );
    if ((await lockSpaceForUpdate(tx, space.id))?.revisionId !== current.revision.id) {
      throw new ContentMoved('The content of the space was changed meanwhile.');
    }
    await setRevision(tx, space.id, written.id);
    await followComments(deps, tx, space.id);
    return written;
  });
  deps.deriver.contents.set({ ...revision, commitOid: null }, content.derived.rows);
  return { spaceId: space.id, revisionId: revision.id, pages, problems };
}

/** The space of the result; a new one if there is none, or if it was deleted. */
async function resultSpace(deps: PlatformDeps, row: TranslationRow, source: SpaceRow): Promise<SpaceRow> {
  const known = row.resultSpaceId === null ? null : await loadSpace(deps.db, row.resultSpaceId);
  if (known !== null) return known;
  const language = new Intl.DisplayNames(['en'], { type: 'language' }).of(row.language) ?? row.language;
  const suffix = row.provider === 'pseudo' ? `${language}, pseudo-locale` : language;
  const created = await createSpace(deps.db, {
    organizationId: row.organizationId,
    parentId: source.parentId,
    title: `${source.title} (${suffix})`,
    emoji: source.emoji ?? undefined,
    language: row.language,
  });
  await updateTranslation(deps.db, row.id, { resultSpaceId: created.id, resultRevisionId: null });
  return created;
}

/** What the last run wrote; null before the first. */
async function writtenTree(deps: PlatformDeps, space: SpaceRow, row: TranslationRow) {
  if (row.resultSpaceId !== space.id || row.resultRevisionId === null) return null;
  return toTreeMap((await loadContent(deps, space, row.resultRevisionId)).rows);
}

function* inBatches(fresh: ReadonlyMap<string, Uint8Array>) {
  const all = [...fresh].map(([oid, bytes]) => ({ oid, bytes }));
  for (let at = 0; at < all.length; at += 50) yield all.slice(at, at + 50);
}
