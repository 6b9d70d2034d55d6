import Type, { type Static } from 'typebox';
import { Moment } from '../scalars.ts';

/** A domain that an organization says is its own. Its identity providers speak for addresses of proved domains only. */
export const EmailDomain = Type.Object(
  {
    object: Type.Literal('email-domain'),
    domain: Type.String(),
    status: Type.Enum(['pending', 'proved'], { type: 'string' }),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      { description: 'The record in the DNS that proves it.' },
    ),
    createdAt: Moment,
    provedAt: Type.Optional(Moment),
  },
  { $id: 'EmailDomain' },
);
export type EmailDomain = Static<typeof EmailDomain>;
