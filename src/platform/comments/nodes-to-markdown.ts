import { DocumentNotReadable, documentToMarkdown, mentionedIn } from '../../content/render/index.ts';
import type { Db, SpaceRow } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';
import { listParticipants } from './list-participants.ts';
import { MAX_MENTIONS } from './resolve-mentions.ts';

/**
 * The Markdown of nodes that a caller sent in a field of the body; throws a 400 for what are none. An id alone tells nobody's
 * name: only those who take part in the space are named.
 */
export async function nodesToMarkdown(
  db: Db,
  space: SpaceRow,
  nodes: Readonly<Record<string, unknown>>,
  field: string,
  options?: Parameters<typeof documentToMarkdown>[2],
): Promise<string> {
  const participants = await listParticipants(db, space, mentionedIn(nodes, MAX_MENTIONS));
  const names = new Map(participants.map(({ user }) => [user.id, user.displayName]));
  try {
    return documentToMarkdown(nodes, (id) => names.get(id) ?? null, options);
  } catch (error) {
    if (error instanceof DocumentNotReadable) throw invalid(field, error.message);
    throw error;
  }
}
