import Type from 'typebox';
import { Bytes, defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Formed, MomentInput } from '../scalars.ts';
import { AuditEventResource, auditOutcomes, maximumAuditCount } from './audit-event.ts';

const tag = 'Audit log';

const filterFields = {
  action: Type.Optional(
    Formed(
      '^[a-z-]{1,60}(\\.[a-z-]{1,60})?$',
      'must be an action such as member.remove, or member for all of them',
      {
        description: 'An action, or the part before the dot for all actions with such a thing.',
      },
    ),
  ),
  actor: Type.Optional(Type.String({ maxLength: 100, description: 'The id of who did it.' })),
  target: Type.Optional(Type.String({ maxLength: 100, description: 'The id of what it was done to.' })),
  outcome: Type.Optional(Type.Enum([...auditOutcomes], { type: 'string' })),
  since: Type.Optional(MomentInput),
  until: Type.Optional(MomentInput),
};

export const auditOperations = {
  listAuditEvents: defineOperation({
    id: 'listAuditEventsInOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/audit',
    tag,
    summary: 'List what was done in an organization, newest first.',
    description: `For administrators. Sign-ins, which concern no organization, are in the log of each organization of which the user is a member. \`count\` is at most ${maximumAuditCount}, however many there are; the list has all of them.`,
    query: Type.Object({ ...pagingFields, ...filterFields }, { additionalProperties: false }),
    responses: { 200: ListOf(AuditEventResource) },
    errors: ['role-too-low'],
    extension: true,
  }),

  exportAuditEvents: defineOperation({
    id: 'exportAuditEventsOfOrganization',
    method: 'GET',
    path: '/orgs/:organizationId/audit/export',
    tag,
    summary: 'Read the whole audit log as NDJSON: an event in each line, newest first.',
    description: 'For administrators. The same filters as for the list. The export is recorded itself.',
    query: Type.Object(filterFields, { additionalProperties: false }),
    responses: { 200: Bytes },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
