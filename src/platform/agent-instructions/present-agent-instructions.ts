import type { AgentInstructions, AgentInstructionsVersion, Document } from '../../contract/index.ts';
import type { AgentInstructionsRow, OrganizationRow } from '../../store/index.ts';

const none: Document = { object: 'document', data: { schemaVersion: 1 }, nodes: [] };

/** The instructions in force; null for none. */
export function presentAgentInstructions(
  organization: OrganizationRow,
  row: AgentInstructionsRow | null,
  { hasModel }: { readonly hasModel: boolean },
): AgentInstructions {
  const isUsed = hasModel && row !== null;
  const reason = hasModel ? 'Nobody has written any.' : 'No model is set: see OPENAI_URL and OPENAI_MODEL.';
  return {
    object: 'agent-instructions',
    instructions: row === null ? none : (row.instructions as Document),
    updatedAt: (row?.createdAt ?? organization.createdAt).toISOString(),
    updatedBy: row?.createdBy ?? '',
    version: row?.version ?? 0,
    use: { used: isUsed, ...(isUsed ? {} : { reason }) },
    urls: { location: `/orgs/${organization.id}/agent-instructions` },
  };
}

export function presentAgentInstructionsVersion(row: AgentInstructionsRow): AgentInstructionsVersion {
  const { id, version, instructions, createdAt, createdBy } = row;
  return {
    object: 'agent-instructions-version',
    id,
    version,
    instructions: instructions as Document,
    createdAt: createdAt.toISOString(),
    createdBy: createdBy ?? '',
  };
}
