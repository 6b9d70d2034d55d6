import type { DocumentNodeResource } from '../../contract/index.ts';
import { type Db, loadAgentInstructions } from '../../store/index.ts';

/** In UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** What an organization tells its model, as plain text; empty where it tells nothing. */
export async function readGuidance(db: Db, organizationId: string): Promise<string> {
  const row = await loadAgentInstructions(db, organizationId);
  const { nodes = [] } = (row?.instructions ?? {}) as { nodes?: readonly DocumentNodeResource[] };
  return nodes.map(textOf).join('\n').slice(0, MAX_LENGTH).toWellFormed().trim();
}

function textOf({ object, nodes = [], leaves = [] }: DocumentNodeResource): string {
  const own = leaves.map(({ text }) => text).join('');
  const below = nodes.map(textOf).join('');
  return object === 'block' ? `${own}${below}\n` : `${own}${below}`;
}
