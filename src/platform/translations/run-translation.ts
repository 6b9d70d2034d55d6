import type { Segment } from '../../content/translation/index.ts';
import type { Http } from '../../net/index.ts';
import type { JobContext } from '../../queue/index.ts';
import {
  beginTranslationRun,
  completeTranslationRun,
  deleteMachineTranslations,
  insertWanted,
  listOpenTranslations,
  listWantedBatches,
  loadSpace,
  loadTranslation,
  markUnneeded,
  type TranslationProblem,
  type TranslationRow,
  updateTranslation,
} from '../../store/index.ts';
import { PageLimitError } from '../../threads/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { ProviderRefusal } from '../providers/provider-errors.ts';
import { ContentMoved } from '../revisions/write-revision.ts';
import { composePages } from './compose-pages.ts';
import { learnCorrections } from './learn-corrections.ts';
import { type KnownAnswers, loadAnswers } from './load-answers.ts';
import { planBatches } from './plan-batches.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import type { Provider } from './providers/provider.ts';
import { readSourceSpace, type SourcePage, type TranslationSource } from './read-source.ts';
import { batchJob, translationJob } from './translation-jobs.ts';
import { writeResult } from './write-result.ts';

/** The defaults of the settings. */
const DEFAULT_MAX_WORDS = 500_000;
const DEFAULT_PER_MINUTE = 60;
const MAX_PROBLEMS = 100;

/**
 * Continues a run as far as possible: requests the texts that are not in the translation memory and returns, or, if all
 * are answered, writes the result. The last answer enqueues the job again. The progress is stored, so the job may be cut
 * off at any point.
 */
export async function runTranslation(
  deps: PlatformDeps,
  { translationId, http }: { readonly translationId: string; readonly http: Http },
  { exhausted }: Pick<JobContext, 'exhausted'>,
): Promise<void> {
  const found = await loadTranslation(deps.db, translationId);
  const space = found && (await loadSpace(deps.db, found.sourceSpaceId));
  if (!found || !space?.revisionId) return;
  const row = await beginTranslationRun(deps.db, found.id, space.revisionId);
  if (row === null) return;
  const complete = async (changes: Parameters<typeof completeTranslationRun>[2]) => {
    const completed = await completeTranslationRun(deps.db, row, changes);
    if (completed?.again) await deps.queue.enqueue(deps.db, translationJob, { translationId });
    const { status, error } = changes;
    deps.log.info({ translation: row.id, space: space.id, status, error }, 'Translation run ended');
  };
  if (exhausted) {
    return await complete({
      status: 'failed',
      error: 'The run was started repeatedly and never finished; check the server’s memory and log.',
    });
  }
  try {
    const provider = row.provider === 'pseudo' ? null : chooseProvider(row, deps, http);
    const learned = await learnCorrections(deps, row, space);
    const source = await readSourceSpace(deps, space, row.sourceRevisionId ?? space.revisionId);
    const memory = await loadAnswers(deps, row, source.pages, provider);
    if (provider !== null && (await requestMissing(deps, { row, source, memory, provider }))) return;
    const wordsLeft = (await loadTranslation(deps.db, row.id))?.wordsLeft ?? 0;
    if (wordsLeft > 0) {
      const limit = deps.translators?.maxWords ?? DEFAULT_MAX_WORDS;
      return await complete({
        status: 'failed',
        error: `A run may send ${limit} words, and ${wordsLeft} words remain; translated texts are stored, so run it again to continue, or raise TRANSLATION_MAX_WORDS.`,
      });
    }
    if (provider !== null && memory.isAllRefused) {
      return await complete({
        status: 'failed',
        error: `The provider ${row.provider} returned no usable answer: ${memory.reason}.`,
      });
    }
    const composed = await composePages(deps, source, memory.answerOf);
    await deleteMachineTranslations(deps.db, row.id, [...composed.unfit].map(memory.keyOf));
    const written = await writeResult(deps, row, { source, space, composed, learned });
    const problems: TranslationProblem[] = [
      ...written.problems,
      ...source.pages.flatMap(describeUntranslated),
      ...composed.problems,
    ];
    if (provider === null) await countPseudo(deps, row, source);
    await markUnneeded(deps.db, row.id, memory.keys);
    await complete({
      status: 'completed',
      error: null,
      resultSpaceId: written.spaceId,
      resultRevisionId: written.revisionId,
      writtenFromId: source.content.revision.id,
      latestPages: written.pages,
      problems: { count: problems.length, items: problems.slice(0, MAX_PROBLEMS) },
    });
  } catch (error) {
    if (error instanceof ProviderRefusal || error instanceof PageLimitError)
      return await complete({ status: 'failed', error: error.message });
    if (error instanceof ContentMoved) {
      await deps.queue.enqueue(deps.db, translationJob, { translationId });
      return;
    }
    throw error;
  }
}

/** Enqueues a job for every unfinished run: its job may have been lost with a process. */
export async function resumeTranslations(deps: PlatformDeps): Promise<void> {
  for (const translationId of await listOpenTranslations(deps.db))
    await deps.queue.enqueue(deps.db, translationJob, { translationId }, { unlessWaiting: true });
}

/** Requests the missing texts. Returns whether answers are awaited. */
async function requestMissing(
  deps: PlatformDeps,
  {
    row,
    source,
    memory,
    provider,
  }: {
    readonly row: TranslationRow;
    readonly source: TranslationSource;
    readonly memory: KnownAnswers;
    readonly provider: Provider;
  },
): Promise<boolean> {
  const perMinute = deps.translators?.requestsPerMinute ?? DEFAULT_PER_MINUTE;
  const enqueue = (tx: Parameters<typeof insertWanted>[0], batch: number) =>
    deps.queue.enqueue(
      tx,
      batchJob,
      { translationId: row.id, run: row.run, batch, host: provider.host, perMinute },
      { unlessWaiting: true },
    );
  const awaited = await listWantedBatches(deps.db, row.id);
  if (awaited.length > 0) {
    // Their jobs may have been lost; if they still run, the new ones find nothing to do.
    for (const batch of awaited) await enqueue(deps.db, batch);
    return true;
  }
  // Texts are requested once in a run: what exceeds the limit is for the next run.
  const wasRequested = row.latestRequests > 0 || row.wordsLeft > 0;
  if (memory.missing.length === 0 || wasRequested) return false;
  const allowed: Segment[] = [];
  let words = 0;
  const maxWords = deps.translators?.maxWords ?? DEFAULT_MAX_WORDS;
  for (const segment of memory.missing) {
    if (words + segment.words > maxWords) continue;
    allowed.push(segment);
    words += segment.words;
  }
  const all = memory.missing.reduce((sum, segment) => sum + segment.words, 0);
  const batches = planBatches(
    allowed.map((segment) => ({ segment, source: segment.text })),
    provider,
  );
  await deps.db.transaction(async (tx) => {
    const rows = batches.flatMap((batch, index) =>
      batch.map(({ segment }) => ({
        translationId: row.id,
        key: memory.keyOf(segment.text),
        origin: 'wanted',
        run: row.run,
        batch: index,
        refusals: 0,
        source: segment.text,
        words: segment.words,
        updatedAt: new Date(),
      })),
    );
    await insertWanted(tx, rows);
    await updateTranslation(tx, row.id, { wordsLeft: all - words });
    for (const index of batches.keys()) await enqueue(tx, index);
  });
  deps.log.info(
    {
      translation: row.id,
      pages: source.pages.length,
      texts: allowed.length,
      words,
      requests: batches.length,
    },
    'Texts are sent to be translated',
  );
  return batches.length > 0;
}

/** A page above a limit of the parser, which is published as it is. */
function describeUntranslated({ path, problem }: SourcePage): readonly TranslationProblem[] {
  return problem === null ? [] : [{ path, line: 1, message: `The page was not translated. ${problem}` }];
}

async function countPseudo(
  deps: PlatformDeps,
  row: TranslationRow,
  source: TranslationSource,
): Promise<void> {
  const words = source.pages
    .flatMap((page) => page.segments)
    .reduce((sum, segment) => sum + segment.words, 0);
  await updateTranslation(deps.db, row.id, { latestWords: words, totalWords: row.totalWords + words });
}
