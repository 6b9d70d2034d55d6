import Type from 'typebox';
import { DocumentInput } from '../content/document-input.ts';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { AgentInstructions, AgentInstructionsVersion } from './agent-instructions.ts';
import { ModelUsage } from './model-usage.ts';

const tag = 'Agent instructions';
const instructions = '/orgs/:organizationId/agent-instructions';

export const agentInstructionOperations = {
  getAgentInstructions: defineOperation({
    id: 'getOrganizationAgentInstructions',
    method: 'GET',
    path: instructions,
    tag,
    summary: 'Read what the organization tells the model that works for it, and whether it is used.',
    responses: { 200: AgentInstructions },
    errors: ['role-too-low'],
  }),

  updateAgentInstructions: defineOperation({
    id: 'updateOrganizationAgentInstructions',
    method: 'PUT',
    path: instructions,
    tag,
    summary: 'Replace the instructions; the ones before stay as a version.',
    description: 'Instructions that are the same make no version. The newest 100 versions are stored.',
    body: Type.Object(
      { instructions: DocumentInput('What the model is told: a Document.') },
      { additionalProperties: false },
    ),
    responses: { 200: AgentInstructions },
    errors: ['role-too-low'],
  }),

  listAgentInstructionsVersions: defineOperation({
    id: 'listAgentInstructionsVersions',
    method: 'GET',
    path: `${instructions}/versions`,
    tag,
    summary: 'List the versions of the instructions with who wrote them and when, the newest first.',
    query: Paging,
    responses: { 200: ListOf(AgentInstructionsVersion) },
    errors: ['role-too-low'],
    extension: true,
  }),

  getModelUsage: defineOperation({
    id: 'getOrganizationModelUsage',
    method: 'GET',
    path: '/orgs/:organizationId/model-usage',
    tag,
    summary: 'Read what the organization used of the language model today, and for what.',
    description: 'Days are those of UTC. The limit is for all organizations of the server together.',
    responses: { 200: ModelUsage },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
