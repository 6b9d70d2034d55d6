import Type, { type Static } from 'typebox';
import { Formed, Id, Moment, Url } from '../scalars.ts';

export const ShareLinkName = Formed('^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$', 'must be one line', {
  maxLength: 50,
  'x-trimmed': true,
});

export const ShareLink = Type.Object(
  {
    object: Type.Literal('share-link'),
    id: Id,
    createdAt: Moment,
    name: Type.String(),
    active: Type.Boolean({ description: 'Whether it opens the site.' }),
    prefix: Type.String({ description: 'Extension: the first characters of its key.' }),
    urls: Type.Object(
      { published: Type.Optional(Url) },
      { description: '`published` is the link itself: only the answer to its creation has it.' },
    ),
  },
  { $id: 'ShareLink' },
);
export type ShareLink = Static<typeof ShareLink>;
