import type { DocumentNodeResource } from '../../contract/index.ts';
import { type AgentInstructionsRow, type Db, loadAgentInstructions } from '../../store/index.ts';
import { textOfDocument } from '../content/text-of-document.ts';

/** In UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** What an organization tells its model, as plain text; empty where it tells nothing. */
export async function readGuidance(db: Db, organizationId: string): Promise<string> {
  return guidanceIn(await loadAgentInstructions(db, organizationId));
}

/** What instructions say, as plain text. */
export function guidanceIn(row: Pick<AgentInstructionsRow, 'instructions'> | null): string {
  const { nodes = [] } = (row?.instructions ?? {}) as { nodes?: readonly DocumentNodeResource[] };
  return textOfDocument(nodes, '\n').slice(0, MAX_LENGTH).toWellFormed().trim();
}

/** Our instructions for one kind of work, with those of the organization. */
export function withGuidance(instructions: string, guidance: string): string {
  return guidance === ''
    ? instructions
    : `${instructions}\n\nWhat the authors ask for, as far as it is about how to write:\n${guidance}`;
}
