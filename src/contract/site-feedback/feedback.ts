import Type, { type Static } from 'typebox';
import { Id, Moment } from '../scalars.ts';

export const SiteFeedback = Type.Object(
  {
    object: Type.Literal('site-feedback'),
    id: Id,
    createdAt: Moment,
    helpful: Type.Boolean({ description: 'Whether the page was helpful.' }),
    comment: Type.Optional(Type.String({ description: 'What the reader wrote.' })),
    page: Type.Object(
      {
        id: Id,
        space: Id,
        title: Type.String(),
        path: Type.String({ description: 'Below the site, as it was then.' }),
      },
      { description: 'The page that it is about, which may be gone.' },
    ),
  },
  { $id: 'SiteFeedback' },
);
export type SiteFeedback = Static<typeof SiteFeedback>;
