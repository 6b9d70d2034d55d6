import type { Static } from 'typebox';
import { decodeSegment, fillSegment } from '../../content/translation/index.ts';
import type { Http } from '../../net/http.ts';
import { type JobContext, LaneBusy } from '../../queue/queue.ts';
import {
  countRequest,
  endRun,
  type GlossaryEntry,
  listWanted,
  listWantedBatches,
  loadTranslation,
  type MemoryRow,
  settleWanted,
  type TranslationRow,
} from '../../store/translations.ts';
import type { PlatformDeps } from '../deps.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import { type Provider, ProviderBusy, ProviderRefusal } from './providers/provider.ts';
import { entriesIn, instructionsText } from './segment-keys.ts';
import { batchJob, translationJob } from './translation-jobs.ts';

/** A text whose answer was refused so often stays as it is. */
const MAX_REFUSALS = 2;
/** Texts that are asked for again go in batches of their own, which have numbers from here on. */
const SECOND_BATCHES = 1_000_000;

type Payload = Static<(typeof batchJob)['payload']>;

/** Asks a provider for one batch of a run, and remembers its answers. The last batch sets the run going on. */
export async function translateBatch(
  deps: PlatformDeps,
  payload: Payload,
  context: JobContext & { readonly http: Http },
): Promise<void> {
  const row = await loadTranslation(deps.db, payload.translationId);
  if (row?.status !== 'running' || row.run !== payload.run) return;
  const wanted = await listWanted(deps.db, row.id, payload.batch);
  if (wanted.length > 0) await ask(deps, row, payload, wanted, context);
  if ((await listWantedBatches(deps.db, row.id)).length === 0) {
    await deps.queue.enqueue(deps.db, translationJob, { translationId: row.id }, { unlessWaiting: true });
  }
}

async function ask(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  { http, signal, lastAttempt, exhausted }: JobContext & { readonly http: Http },
): Promise<void> {
  if (exhausted) return await giveUp(deps, row, wanted, 'the provider never answered');
  try {
    const provider = chooseProvider(row.provider, deps.translators, http);
    await countRequest(
      deps.db,
      row.id,
      wanted.reduce((sum, one) => sum + one.words, 0),
    );
    const answers = await requestAnswers(provider, row, wanted, signal);
    await keepAnswers(deps, row, payload, wanted, answers);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderRefusal) {
      await endRun(deps.db, row, { status: 'failed', error: error.message });
      deps.log.warn({ translation: row.id, reason: error.message }, 'Translation run failed');
      return;
    }
    if (error instanceof ProviderBusy && !lastAttempt) throw new LaneBusy(error.until, error.message);
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
      glossary: entriesIn(texts.join('\n'), row.glossary as GlossaryEntry[]),
    },
    signal,
  );
}

async function keepAnswers(
  deps: PlatformDeps,
  row: TranslationRow,
  payload: Payload,
  wanted: readonly MemoryRow[],
  answers: readonly (string | null)[],
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    let isAgain = false;
    const again = payload.batch + SECOND_BATCHES;
    for (const [at, { key, source, refusals }] of wanted.entries()) {
      const answer = answers[at] ?? null;
      const filled =
        answer === null ? { refused: 'there was no answer' } : fillSegment(decodeSegment(source), answer);
      if (answer !== null && !('refused' in filled)) {
        await settleWanted(tx, row.id, key, { origin: 'machine', text: answer.trim() });
      } else {
        const reason = 'refused' in filled ? filled.refused : null;
        const isOver = refusals + 1 >= MAX_REFUSALS;
        isAgain ||= !isOver;
        const next = isOver ? { origin: 'refused' } : { batch: again };
        await settleWanted(tx, row.id, key, { ...next, refusals: refusals + 1, reason });
      }
    }
    if (isAgain) await deps.queue.enqueue(tx, batchJob, { ...payload, batch: again });
  });
}

async function giveUp(
  deps: PlatformDeps,
  row: TranslationRow,
  wanted: readonly MemoryRow[],
  reason: string,
): Promise<void> {
  for (const { key } of wanted) await settleWanted(deps.db, row.id, key, { origin: 'refused', reason });
}
