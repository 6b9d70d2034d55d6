import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

/** Events are counted up to this number: two years have millions of them. */
export const maximumAuditCount = 10_000;

export const auditOutcomes = ['success', 'refused', 'failure'] as const;

const Fields = Type.Record(Type.String(), Type.Unknown());
const NullableText = Type.Union([Type.String(), Type.Null()]);

/** Who did what, to what, from where. */
export const AuditEventResource = Type.Object(
  {
    object: Type.Literal('audit-event'),
    id: Type.String({ description: 'Grows with time.' }),
    at: Moment,
    action: Type.String({
      description: 'The kind of thing and what was done with it, for example `member.remove`.',
    }),
    outcome: Type.Enum([...auditOutcomes], { type: 'string' }),
    reason: Type.Optional(Type.String({ description: 'Why it was refused or failed.' })),
    actor: Type.Object({
      kind: Type.Enum(['user', 'provider', 'server', 'nobody'], {
        type: 'string',
        description: '`provider` is an identity provider, `server` this server or its operator.',
      }),
      id: NullableText,
      name: NullableText,
      token: Type.Optional(Type.String({ description: 'The id of the API token that was used.' })),
      session: Type.Optional(Type.String({ description: 'The id of the browser session that was used.' })),
      address: Type.Optional(Type.String({ description: 'The network address.' })),
      userAgent: Type.Optional(Type.String({ description: 'What the program or browser calls itself.' })),
    }),
    requestId: Type.Optional(Type.String({ description: 'The `x-request-id`, which the log has, too.' })),
    target: Type.Optional(
      Type.Object({
        kind: Type.String({ description: 'For example `space`.' }),
        id: NullableText,
        name: NullableText,
      }),
    ),
    before: Type.Optional(Fields),
    after: Type.Optional(Fields),
  },
  { $id: 'AuditEvent' },
);
export type AuditEventResource = Static<typeof AuditEventResource>;
