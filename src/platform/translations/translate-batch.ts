import type { Static } from 'typebox';
import { decodeSegment, fillSegment } from '../../content/translation/index.ts';
import type { Http } from '../../net/index.ts';
import { type JobContext, PauseRequested } from '../../queue/index.ts';
import {
  addTranslatedWords,
  addTranslationRequest,
  addUnansweredBatch,
  completeTranslationRun,
  listWanted,
  listWantedBatches,
  loadTranslation,
  type MemoryRow,
  nextBatchNumber,
  resolveWanted,
  type StoredGlossaryEntry,
  saveMachineTranslation,
  type TranslationRow,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import { type Provider, ProviderBusy, ProviderRefusal, RequestTooLarge } from './providers/provider.ts';
import { entriesIn, instructionsText } from './segment-keys.ts';
import { batchJob, translationJob } from './translation-jobs.ts';

/** After so many refused answers a text stays as it is. */
const MAX_REFUSALS = 2;
/** Texts that are requested again go in batches of their own, which are numbered from here on. */
const SECOND_BATCHES = 1_000_000;
/** After so many batches of a run that a provider did not answer, the run ends. */
const MAX_UNANSWERED = 3;
/** The pause when a provider requests one without a length; doubles with each attempt. */
const FIRST_PAUSE_MS = 10_000;

type Payload = Static<(typeof batchJob)['payload']>;

/** Requests one batch of a run from a provider, and saves its answers. The last batch enqueues the run again. */
export async function translateBatch(
  deps: PlatformDeps,
  payload: Payload,
  context: JobContext & { readonly http: Http },
): Promise<void> {
  const row = await loadTranslation(deps.db, payload.translationId);
  if (row?.status !== 'running' || row.run !== payload.run) return;
  const wanted = await listWanted(deps.db, row.id, payload.batch);
  if (wanted.length > 0) await request(deps, row, payload, wanted, context);
  if ((await listWantedBatches(deps.db, row.id)).length === 0) {
    await deps.queue.enqueue(deps.db, translationJob, { translationId: row.id }, { unlessWaiting: true });
  }
}

async function request(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  { http, signal, attempt, lastAttempt, exhausted }: JobContext & { readonly http: Http },
): Promise<void> {
  if (exhausted) return await giveUp(deps, row, wanted, 'the provider never answered');
  try {
    const provider = chooseProvider(row.provider, deps.translators, http);
    await addTranslationRequest(deps.db, row.id);
    const answers = await requestAnswers(provider, row, wanted, signal);
    await saveAnswers(deps, row, payload, wanted, answers);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderRefusal) return await endAsFailed(deps, row, error.message);
    if (error instanceof RequestTooLarge)
      return await requestHalves(deps, row, payload, wanted, error.message);
    if (error instanceof ProviderBusy && !lastAttempt) {
      const pause = error.afterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      throw new PauseRequested(new Date(Date.now() + pause), error.message);
    }
    if (!lastAttempt) throw error;
    await giveUp(deps, row, wanted, error instanceof Error ? error.message : 'the provider failed');
  }
}

async function requestAnswers(
  provider: Provider,
  row: TranslationRow,
  wanted: readonly MemoryRow[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const texts = wanted.map((one) => one.source);
  return await provider.translate(
    {
      texts,
      from: row.sourceLanguage,
      to: row.language,
      instructions: instructionsText(row),
      glossary: entriesIn(texts.join('\n'), row.glossary as StoredGlossaryEntry[]),
    },
    signal,
  );
}

async function saveAnswers(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  answers: readonly (string | null)[],
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    let isAgain = false;
    const again = payload.batch + SECOND_BATCHES;
    await addTranslatedWords(
      tx,
      row.id,
      wanted.reduce((sum, one) => sum + one.words, 0),
    );
    for (const [at, entry] of wanted.entries()) {
      const { source, refusals } = entry;
      const answer = answers[at] ?? null;
      const filled =
        answer === null ? { refused: 'there was no answer' } : fillSegment(decodeSegment(source), answer);
      if (answer !== null && !('refused' in filled)) {
        await saveMachineTranslation(tx, entry, answer.trim());
      } else {
        const reason = 'refused' in filled ? filled.refused : null;
        const isOver = refusals + 1 >= MAX_REFUSALS;
        isAgain ||= !isOver;
        const next = isOver ? { origin: 'refused' } : { batch: again };
        await resolveWanted(tx, entry, { ...next, refusals: refusals + 1, reason });
      }
    }
    if (isAgain) await deps.queue.enqueue(tx, batchJob, { ...payload, batch: again });
  });
}

/** Requests each half of a batch by itself; a single text that is too long stays as it is. */
async function requestHalves(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  reason: string,
): Promise<void> {
  const [only] = wanted;
  if (wanted.length === 1 && only !== undefined) {
    await resolveWanted(deps.db, only, { origin: 'refused', reason: withoutStop(reason) });
    return;
  }
  const half = wanted.slice(0, Math.ceil(wanted.length / 2));
  await deps.db.transaction(async (tx) => {
    const batch = await nextBatchNumber(tx, row.id);
    for (const entry of half) await resolveWanted(tx, entry, { batch });
    for (const one of [batch, payload.batch])
      await deps.queue.enqueue(tx, batchJob, { ...payload, batch: one });
  });
}

/**
 * Gives up a batch that was not answered. A provider that answered none of the run's batches, or failed several, is out
 * of service: then the run fails, since each further batch would wait as long for nothing.
 */
async function giveUp(
  deps: PlatformDeps,
  row: TranslationRow,
  wanted: readonly MemoryRow[],
  reason: string,
): Promise<void> {
  for (const entry of wanted)
    await resolveWanted(deps.db, entry, { origin: 'refused', reason: withoutStop(reason) });
  const { latestWords, unanswered } = await addUnansweredBatch(deps.db, row.id);
  if (latestWords > 0 && unanswered < MAX_UNANSWERED) return;
  await endAsFailed(deps, row, `${withoutStop(reason)}. What is translated already is kept.`);
}

async function endAsFailed(deps: PlatformDeps, row: TranslationRow, error: string): Promise<void> {
  const ended = await completeTranslationRun(deps.db, row, { status: 'failed', error });
  if (ended === null) return;
  deps.log.warn({ translation: row.id, reason: error }, 'Translation run failed');
  if (ended.again) await deps.queue.enqueue(deps.db, translationJob, { translationId: row.id });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
