import type { Queue } from '../../queue/index.ts';
import { countRecentConversations, type Db, evictConversations } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { ingestConversations, MAX_CONVERSATIONS } from './ingest-conversations.ts';

/** What one site, space or organization brings in an hour, from all who ask there together. */
const MAX_PER_HOUR = 200;
/** What all of an organization bring. */
const MAX_PER_HOUR_TOGETHER = 1_000;
/** What they bring beyond this gives way, the oldest first: it is what anybody may type, and leaves room for everything else. */
const MAX_RETAINED = MAX_CONVERSATIONS / 2;
/** At once: more than come between two evictions. */
const EVICTED = 100;

/** See `ReaderQuestion.kind`. */
const READERS = {
  prefixes: ['integration:search:', 'integration:feedback:', 'integration:ask:'],
};
/** Shorter words are tried, not asked. */
const MIN_LETTERS = 4;

/** Where somebody did not find what they looked for. */
export interface QuestionPlace {
  readonly kind: 'site' | 'space' | 'organization';
  readonly id: string;
}

/** What somebody did not find there. */
export interface ReaderQuestion {
  readonly organizationId: string;
  readonly place: QuestionPlace;
  /** A search or feedback on a site, or a question to the API. */
  readonly kind: 'search' | 'feedback' | 'ask';
  /** The same again is the same conversation. */
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly url: string;
}

/**
 * Makes a conversation of what somebody did not find, in the caller's transaction. Nothing is stored where the place, or the
 * organization with all its places, brings too many: it is what anybody may type.
 */
export async function recordQuestion(
  tx: Db,
  queue: Pick<Queue, 'enqueue'>,
  { organizationId, place, kind, id, subject, body, url }: ReaderQuestion,
  { perHour = MAX_PER_HOUR, perHourTogether = MAX_PER_HOUR_TOGETHER, retained = MAX_RETAINED } = {},
): Promise<void> {
  const source = `integration:${kind}:${place.id}`;
  if ((await countRecentConversations(tx, organizationId, { source })) >= perHour) return;
  if ((await countRecentConversations(tx, organizationId, READERS)) >= perHourTogether) return;
  await evictConversations(tx, organizationId, READERS, { retained: retained - 1, limit: EVICTED });
  await ingestConversations(tx, queue, organizationId, [
    {
      source,
      id,
      subject: subject.slice(0, 512),
      metadata: { url, attributes: { [place.kind]: place.id } },
      parts: [{ type: 'message', role: 'user', body }],
    },
  ]);
}

/** Whether a query says enough to be a question that somebody had. */
export function isRecordable(query: string): boolean {
  return (query.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * Records a query that found nothing, once for each query on a day. A failure changes nothing for who asked.
 */
export async function recordMissedQuery(
  { db, queue, log }: Pick<PlatformDeps, 'db' | 'queue' | 'log'>,
  {
    query,
    ...question
  }: Pick<ReaderQuestion, 'organizationId' | 'place' | 'kind' | 'url'> & { readonly query: string },
): Promise<void> {
  if (!isRecordable(query)) return;
  const normalized = query.normalize('NFKC').toLocaleLowerCase('en').replace(/\s+/g, ' ').trim();
  const day = new Date().toISOString().slice(0, 10);
  const missed = { ...question, id: `${day} ${normalized}`, subject: query, body: query };
  await db
    .transaction(async (tx) => await recordQuestion(tx, queue, missed))
    .catch((error: unknown) => log.warn({ err: error }, 'A query without results was not stored.'));
}
