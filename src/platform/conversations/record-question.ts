import type { Queue } from '../../queue/index.ts';
import { countRecentConversations, type Db } from '../../store/index.ts';
import { ingestConversations } from './ingest-conversations.ts';

/** What one site brings in an hour, from all its readers together. */
const MAX_PER_HOUR = 200;

/** What a reader of a site did not find there. */
export interface ReaderQuestion {
  readonly organizationId: string;
  readonly siteId: string;
  readonly kind: 'search' | 'feedback';
  /** The same again is the same conversation. */
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly url: string;
}

/**
 * Makes a conversation of what a reader did not find, in the caller's transaction. Nothing is stored where the site brings too
 * many, or its organization has too many: it is what anybody may type.
 */
export async function recordQuestion(
  tx: Db,
  queue: Pick<Queue, 'enqueue'>,
  { organizationId, siteId, kind, id, subject, body, url }: ReaderQuestion,
): Promise<void> {
  const source = `integration:${kind}:${siteId}`;
  if ((await countRecentConversations(tx, organizationId, source)) >= MAX_PER_HOUR) return;
  await ingestConversations(tx, queue, organizationId, [
    {
      source,
      id,
      subject: subject.slice(0, 512),
      metadata: { url, attributes: { site: siteId } },
      parts: [{ type: 'message', role: 'user', body }],
    },
  ]);
}
