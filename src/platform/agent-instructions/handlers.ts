import Type from 'typebox';
import {
  addAgentInstructions,
  hasTranslationBy,
  listAgentInstructions,
  loadAgentInstructions,
  loadModelUsage,
  loadModelUsageByPurpose,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireRole } from '../access/require-role.ts';
import type { EffectiveRole } from '../access/roles.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { readDocumentInput } from '../content/read-document-input.ts';
import type { PlatformDeps } from '../deps.ts';
import {
  type InstructionUses,
  presentAgentInstructions,
  presentAgentInstructionsVersion,
} from './present-agent-instructions.ts';
import { presentModelUsage } from './present-model-usage.ts';

/** The role in the organization that each right in its instructions requires. */
const rights = { view: 'read', edit: 'admin' } as const satisfies Record<string, EffectiveRole>;

const VersionKey = Type.Integer({ minimum: 1 });

export function agentInstructionHandlers(deps: PlatformDeps): HandlersOf<'agent-instructions'> {
  const { db } = deps;

  async function findUses(organizationId: string): Promise<InstructionUses> {
    return {
      hasModel: (deps.model ?? null) !== null,
      hasTranslation: await hasTranslationBy(db, { organizationId, provider: 'openai' }),
    };
  }

  async function require(caller: Caller, organizationId: string, right: keyof typeof rights) {
    const { organization, effectiveRole } = await requireOrganization(db, caller, organizationId, 'view');
    requireRole(effectiveRole, rights[right], 'organization');
    return organization;
  }

  return {
    async getAgentInstructions({ caller, params }) {
      const organization = await require(caller, params.organizationId, 'view');
      const row = await loadAgentInstructions(db, organization.id);
      return presentAgentInstructions(organization, row, await findUses(organization.id));
    },

    async updateAgentInstructions({ caller, params, body }) {
      const organization = await require(caller, params.organizationId, 'edit');
      const instructions = readDocumentInput(body.instructions);
      const row = await db.transaction(async (tx) => {
        const added = await addAgentInstructions(tx, {
          organizationId: organization.id,
          instructions,
          createdBy: caller.actor.kind === 'user' ? caller.actor.id : null,
        });
        if (added.isNew)
          await recordAudit(tx, {
            organizationId: organization.id,
            action: 'agent-instructions.update',
            actor: caller.actor,
            target: { kind: 'agent-instructions', id: added.row.id },
            after: { version: added.row.version },
          });
        return added.row;
      });
      return presentAgentInstructions(organization, row, await findUses(organization.id));
    },

    async listAgentInstructionsVersions({ caller, params, query }) {
      const organization = await require(caller, params.organizationId, 'view');
      const limit = limitOf(query);
      const list = `instructions of ${organization.id}`;
      const found = await listAgentInstructions(db, organization.id, {
        before: readCursor(list, VersionKey, query),
        limit: limit + 1,
      });
      return toList(found, {
        list,
        limit,
        keyOf: ({ version }) => version,
        present: presentAgentInstructionsVersion,
      });
    },

    async getModelUsage({ caller, params }) {
      const { id } = await require(caller, params.organizationId, 'edit');
      const [byPurpose, byServer] = await Promise.all([loadModelUsageByPurpose(db, id), loadModelUsage(db)]);
      return presentModelUsage(deps.model ?? null, { byPurpose, byServer, now: new Date() });
    },
  };
}
