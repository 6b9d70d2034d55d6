import Type, { type Static } from 'typebox';
import { Id, Moment, RoleOrGuest } from '../scalars.ts';

const url = Type.Optional(
  Type.String({
    format: 'uri',
    description:
      'The address at which it is accepted. Only the answer that makes it has it: just a hash is stored.',
  }),
);

const fields = {
  object: Type.Literal('invite'),
  id: Id,
  role: RoleOrGuest,
  createdAt: Moment,
  expiresAt: Moment,
  url,
};

/** A link with which people join an organization. */
export const LinkInvite = Type.Object(
  {
    ...fields,
    redundant: Type.Boolean({ description: 'Whether it has ended: by its time or its uses.' }),
    uses: Type.Integer({ minimum: 0 }),
    maxUses: Type.Optional(Type.Integer({ minimum: 1, description: 'Absent for no limit.' })),
  },
  { $id: 'LinkInvite' },
);
export type LinkInvite = Static<typeof LinkInvite>;

/** An invitation of one person by mail. */
export const MailInvite = Type.Object(
  {
    ...fields,
    email: Type.String(),
    mail: Type.Optional(
      Type.Enum(['queued', 'not-sent'], {
        type: 'string',
        description: '`not-sent` where no mail server is set: pass the address on yourself.',
      }),
    ),
  },
  { $id: 'MailInvite' },
);
export type MailInvite = Static<typeof MailInvite>;
