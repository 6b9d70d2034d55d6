import type { Static } from 'typebox';
import { decodeSegment, fillSegment } from '../../content/translation/index.ts';
import type { Http } from '../../net/index.ts';
import { type JobContext, PauseRequested } from '../../queue/index.ts';
import {
  addTranslatedWords,
  addTranslationRequest,
  addUnansweredBatch,
  completeTranslationRun,
  type Db,
  listAgentInstructions,
  listWanted,
  listWantedBatches,
  loadTranslation,
  type MemoryRow,
  nextBatchNumber,
  RETAINED_INSTRUCTIONS,
  resolveWanted,
  type StoredGlossaryEntry,
  saveMachineTranslation,
  type TranslationRow,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { guidanceIn } from '../models/read-guidance.ts';
import { ProviderBusy, ProviderRefusal, RequestTooLarge } from '../providers/provider-errors.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import type { Provider } from './providers/provider.ts';
import { entriesIn, instructionsText, isGuidedBy } from './segment-keys.ts';
import { batchJob, translationJob } from './translation-jobs.ts';

/** After so many refused answers, a text stays in the source language. */
const MAX_REFUSALS = 2;
/** The offset of the numbers of batches with texts that are requested again. */
const RETRY_OFFSET = 1_000_000;
/** After so many batches that a provider did not answer, the run fails. */
const MAX_UNANSWERED = 3;
/** The first pause if a provider requests one without a length; it doubles with each attempt. */
const FIRST_PAUSE_MS = 10_000;

type Payload = Static<(typeof batchJob)['payload']>;

/** Requests one batch of a run from a provider, and stores its answers. The last batch enqueues the run again. */
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
    const provider = chooseProvider(row, deps, http);
    await addTranslationRequest(deps.db, row.id);
    const guidance = provider.followsGuidance ? await findGuidance(deps.db, row, wanted) : '';
    const answers = await requestAnswers(provider, row, wanted, { guidance, signal });
    await saveAnswers(deps, row, payload, wanted, answers);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderRefusal) return await failRun(deps, row, error.message);
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

/** What the organization told its model when the texts were planned: that is part of their keys. */
async function findGuidance(db: Db, row: TranslationRow, wanted: readonly MemoryRow[]): Promise<string> {
  const key = wanted[0]?.key ?? '';
  if (isGuidedBy(key, '')) return '';
  const { rows } = await listAgentInstructions(db, row.organizationId, {
    before: null,
    limit: RETAINED_INSTRUCTIONS,
  });
  return rows.map(guidanceIn).find((guidance) => isGuidedBy(key, guidance)) ?? guidanceIn(rows[0] ?? null);
}

async function requestAnswers(
  provider: Provider,
  row: TranslationRow,
  wanted: readonly MemoryRow[],
  { guidance, signal }: { readonly guidance: string; readonly signal: AbortSignal },
): Promise<readonly (string | null)[]> {
  const texts = wanted.map((entry) => entry.source);
  return await provider.translate(
    {
      texts,
      from: row.sourceLanguage,
      to: row.language,
      instructions: [guidance, instructionsText(row)].filter((text) => text !== '').join('\n'),
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
    let needsRetry = false;
    const retryBatch = payload.batch + RETRY_OFFSET;
    await addTranslatedWords(
      tx,
      row.id,
      wanted.reduce((sum, { words }) => sum + words, 0),
    );
    for (const [index, entry] of wanted.entries()) {
      const { source, refusals } = entry;
      const answer = answers[index] ?? null;
      const filled =
        answer === null ? { refused: 'there was no answer' } : fillSegment(decodeSegment(source), answer);
      if (answer !== null && !('refused' in filled)) {
        await saveMachineTranslation(tx, entry, answer.trim());
      } else {
        const reason = 'refused' in filled ? filled.refused : null;
        const isLast = refusals + 1 >= MAX_REFUSALS;
        needsRetry ||= !isLast;
        const next = isLast ? { origin: 'refused' } : { batch: retryBatch };
        await resolveWanted(tx, entry, { ...next, refusals: refusals + 1, reason });
      }
    }
    if (needsRetry) await deps.queue.enqueue(tx, batchJob, { ...payload, batch: retryBatch });
  });
}

/** Requests each half of a batch separately; a single text that is too long stays in the source language. */
async function requestHalves(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  reason: string,
): Promise<void> {
  const [only] = wanted;
  if (wanted.length === 1 && only !== undefined) {
    await resolveWanted(deps.db, only, { origin: 'refused', reason: withoutFullStop(reason) });
    return;
  }
  const half = wanted.slice(0, Math.ceil(wanted.length / 2));
  await deps.db.transaction(async (tx) => {
    const halfBatch = await nextBatchNumber(tx, row.id);
    for (const entry of half) await resolveWanted(tx, entry, { batch: halfBatch });
    for (const batch of [halfBatch, payload.batch])
      await deps.queue.enqueue(tx, batchJob, { ...payload, batch });
  });
}

/**
 * Gives up a batch that was not answered. A provider that answered none of the run's batches, or did not answer several,
 * is considered out of service: the run fails, since each further batch would wait as long in vain.
 */
async function giveUp(
  deps: PlatformDeps,
  row: TranslationRow,
  wanted: readonly MemoryRow[],
  reason: string,
): Promise<void> {
  for (const entry of wanted)
    await resolveWanted(deps.db, entry, { origin: 'refused', reason: withoutFullStop(reason) });
  const { latestWords, unanswered } = await addUnansweredBatch(deps.db, row.id);
  if (latestWords > 0 && unanswered < MAX_UNANSWERED) return;
  await failRun(deps, row, `${withoutFullStop(reason)}. Translated texts are stored.`);
}

async function failRun(deps: PlatformDeps, row: TranslationRow, error: string): Promise<void> {
  const completed = await completeTranslationRun(deps.db, row, { status: 'failed', error });
  if (completed === null) return;
  deps.log.warn({ translation: row.id, reason: error }, 'Translation run failed');
  if (completed.again) await deps.queue.enqueue(deps.db, translationJob, { translationId: row.id });
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
