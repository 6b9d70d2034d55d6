import type { AgentInstructions, AgentInstructionsVersion, Document } from '../../contract/index.ts';
import type { AgentInstructionsRow, OrganizationRow } from '../../store/index.ts';
import { guidanceIn } from '../models/read-guidance.ts';

const none: Document = { object: 'document', data: { schemaVersion: 1 }, nodes: [] };

/** What there is on this server, and in an organization, that could use instructions. */
export interface InstructionUses {
  readonly hasModel: boolean;
  /** Whether the organization has a translation by the model. */
  readonly hasTranslation: boolean;
}

const NO_MODEL = 'No model is set: see OPENAI_URL and OPENAI_MODEL.';

/** The instructions in force; null for none. */
export function presentAgentInstructions(
  organization: OrganizationRow,
  row: AgentInstructionsRow | null,
  uses: InstructionUses,
): AgentInstructions {
  return {
    object: 'agent-instructions',
    instructions: row === null ? none : (row.instructions as Document),
    updatedAt: (row?.createdAt ?? organization.createdAt).toISOString(),
    updatedBy: row?.createdBy ?? '',
    version: row?.version ?? 0,
    use: presentUse(organization, row, uses),
    urls: { location: `/orgs/${organization.id}/agent-instructions` },
  };
}

function presentUse(
  { ai }: OrganizationRow,
  row: AgentInstructionsRow | null,
  { hasModel, hasTranslation }: InstructionUses,
): AgentInstructions['use'] {
  const unwritten =
    row === null ? 'Nobody has written any.' : guidanceIn(row) === '' ? 'They have no text.' : null;
  const useOf = (...obstacles: readonly (string | false | null)[]) => {
    const reason = obstacles.find((obstacle) => obstacle !== false && obstacle !== null) || undefined;
    return reason === undefined ? { used: true } : { used: false, reason };
  };
  const answers = useOf(
    !hasModel && NO_MODEL,
    !ai && 'The organization has not switched the model on: set its `ai` to true.',
    unwritten,
  );
  const translations = useOf(
    !hasModel && NO_MODEL,
    !hasTranslation && 'No translation of the organization has the provider openai.',
    unwritten,
  );
  const used = answers.used || translations.used;
  return {
    used,
    ...(used || answers.reason === undefined ? {} : { reason: answers.reason }),
    answers,
    issues: answers,
    translations,
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
