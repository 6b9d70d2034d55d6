import { createHash } from 'node:crypto';
import type { ConversationInput } from '../../contract/index.ts';
import { redactText, redactUrl } from '../../conversations/index.ts';
import type { Queue } from '../../queue/index.ts';
import {
  countConversations,
  countConversationsByKey,
  type Db,
  newId,
  storeConversations,
  toStorableText,
} from '../../store/index.ts';
import { conversationJob } from './conversation-jobs.ts';

/** How many conversations an organization has. */
export const MAX_CONVERSATIONS = 50_000;

/** Where conversations come from that do not say so. */
export const DEFAULT_SOURCE = 'integration:api:default';

/** A conversation with the source that it is from. */
export interface SourcedConversation extends ConversationInput {
  readonly source: string;
}

/**
 * Stores conversations, redacted, and enqueues the work on them in the same transaction: either both are there or
 * neither. False when the organization would have too many; nothing is stored then.
 */
export async function ingestConversations(
  tx: Db,
  queue: Pick<Queue, 'enqueue'>,
  organizationId: string,
  inputs: readonly SourcedConversation[],
): Promise<boolean> {
  const now = new Date();
  const rows = new Map(inputs.map((input) => toRow(organizationId, input, now)).map((row) => [row.key, row]));
  if (rows.size === 0) return true;
  const known = await countConversationsByKey(tx, organizationId, [...rows.keys()]);
  if (
    known < rows.size &&
    (await countConversations(tx, organizationId)) + rows.size - known > MAX_CONVERSATIONS
  )
    return false;
  const sorted = [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const changed = await storeConversations(tx, sorted);
  if (changed > 0) await queue.enqueue(tx, conversationJob, { organizationId }, { unlessWaiting: true });
  return true;
}

function toRow(organizationId: string, input: SourcedConversation, now: Date) {
  const { source, subject, metadata = {}, parts } = input;
  const clean = (text: string) => redactText(toStorableText(text));
  const said = metadata.createdAt === undefined ? null : new Date(metadata.createdAt);
  // No conversation is of the future, whatever the clock of its source says.
  const createdAt = said === null || said > now ? now : said;
  const content = {
    sourceId: clean(input.id),
    subject: subject === undefined || subject.trim() === '' ? null : clean(subject),
    url: metadata.url === undefined ? null : redactUrl(metadata.url),
    attributes: Object.fromEntries(
      Object.entries(metadata.attributes ?? {}).map(([name, value]) => [clean(name), clean(value)]),
    ),
    parts: parts.map(({ type, role, body }) => ({ type, role, body: clean(body) })),
  };
  return {
    id: newId(),
    organizationId,
    source,
    key: keyOfConversation(source, input.id),
    ...content,
    digest: digestOf([content, said]),
    isDated: said !== null,
    createdAt,
  };
}

/** What a conversation is known by, from its source and the id that the source sent. */
export const keyOfConversation = (source: string, sourceId: string) => digestOf([source, sourceId]);

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
