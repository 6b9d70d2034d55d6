import { findCorrections } from '../../content/translation/index.ts';
import {
  loadRevision,
  loadSpace,
  type SpaceRow,
  savePersonTranslations,
  type TranslationRow,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { toTreeMap } from '../revisions/derive-revision.ts';
import { isSameEntry } from '../revisions/merge-trees.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { decode } from './read-source.ts';
import { personKey, personRawKey } from './segment-keys.ts';

/** The changes that people made to the result since it was written. */
export interface LearnedCorrections {
  /** The paths of pages all of whose changes are in the translation memory, so that they can be rewritten. */
  readonly fullyLearned: ReadonlySet<string>;
}

/** Stores the corrections that people made in the result in the translation memory. */
export async function learnCorrections(
  deps: PlatformDeps,
  row: TranslationRow,
  source: SpaceRow,
): Promise<LearnedCorrections> {
  const fullyLearned = new Set<string>();
  const result = row.resultSpaceId === null ? null : await loadSpace(deps.db, row.resultSpaceId);
  if (result === null || row.resultRevisionId === null || row.writtenFromId === null) return { fullyLearned };
  if (result.revisionId === null || result.revisionId === row.resultRevisionId) return { fullyLearned };
  const [from, written, current] = await Promise.all([
    treeOf(deps, source.id, row.writtenFromId),
    treeOf(deps, result.id, row.resultRevisionId),
    treeOf(deps, result.id, result.revisionId),
  ]);
  if (from === null || written === null || current === null) return { fullyLearned };
  const found: Parameters<typeof savePersonTranslations>[1][number][] = [];
  for (const [path, entry] of current) {
    const [before, origin] = [written.get(path), from.get(path)];
    if (before === undefined || origin === undefined || isSameEntry(entry, before)) continue;
    const [sourceText] = await readTexts(deps, source.id, [origin.oid]);
    const [writtenText, currentText] = await readTexts(deps, result.id, [before.oid, entry.oid]);
    if (sourceText === undefined || writtenText === undefined || currentText === undefined) continue;
    const corrections = findCorrections(path, {
      source: sourceText,
      written: writtenText,
      current: currentText,
    });
    if (corrections.isAll) fullyLearned.add(path);
    for (const { source: segment, text, raw, neighbours } of corrections.items) {
      const own = sourceText.slice(segment.start, segment.end);
      const key = text === null ? personRawKey(own) : personKey(segment.text);
      found.push({
        translationId: row.id,
        run: row.run,
        key,
        source: segment.text,
        text: text ?? raw,
        path,
        correction: { userId: null, neighbours },
      });
    }
  }
  await savePersonTranslations(deps.db, found);
  return { fullyLearned };
}

async function treeOf(deps: PlatformDeps, spaceId: string, revisionId: string) {
  const revision = await loadRevision(deps.db, spaceId, revisionId);
  return revision === null ? null : toTreeMap(await deps.deriver.contents.load(deps.db, revision));
}

async function readTexts(
  deps: PlatformDeps,
  spaceId: string,
  oids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const texts = new Map<string, string>();
  for await (const { oid, bytes } of createStoredReader(deps, spaceId)([...new Set(oids)])) {
    const text = decode(bytes);
    if (text !== null) texts.set(oid, text);
  }
  return oids.map((oid) => texts.get(oid));
}
