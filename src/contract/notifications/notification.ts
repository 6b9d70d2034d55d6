import Type, { type Static } from 'typebox';
import { User } from '../organizations/user.ts';
import { Id, Moment, Url } from '../scalars.ts';

/**
 * `mention`: a comment or reply names the user. `reply`: to a thread in which they take part. `comment`: on a change request
 * of theirs. `review-request`: of their review. `review`: of a change request of theirs.
 */
export const notificationKinds = ['mention', 'reply', 'comment', 'review-request', 'review'] as const;

/** What somebody should look at. */
export const Notification = Type.Object(
  {
    object: Type.Literal('notification'),
    id: Id,
    kind: Type.Enum([...notificationKinds], { type: 'string' }),
    createdAt: Moment,
    readAt: Type.Optional({ ...Moment, description: 'Absent while it is unread.' }),
    by: Type.Optional(Type.Unsafe<User>({ ...User, description: 'Who did it.' })),
    organization: Id,
    space: Type.Object({ id: Id, title: Type.String() }),
    changeRequest: Type.Optional(Type.Object({ id: Id, number: Type.Integer(), subject: Type.String() })),
    comment: Type.Optional(Id),
    reply: Type.Optional(Id),
    page: Type.Optional(Type.Object({ id: Id, title: Type.String() })),
    text: Type.Optional(Type.String({ description: 'The beginning of what was written, as Markdown.' })),
    urls: Type.Object({ location: Url, app: Url }),
  },
  { $id: 'Notification' },
);
export type Notification = Static<typeof Notification>;

export const NotificationSettings = Type.Object(
  {
    object: Type.Literal('notification-settings'),
    mail: Type.Boolean({ description: 'Whether notifications are mailed, too, to a confirmed address.' }),
  },
  { $id: 'NotificationSettings' },
);
export type NotificationSettings = Static<typeof NotificationSettings>;
