import Type, { type Static } from 'typebox';
import { GitOperation } from '../git/git-operation.ts';
import { GitOid, Moment } from '../scalars.ts';
import { Space } from './space.ts';

/**
 * A space with what a dashboard shows of it. `lastSync` is the newest import or export of its content, standalone ones apart,
 * without its notices and what was lost, which the list of operations has.
 */
export const SpaceOverview = Type.Object(
  {
    object: Type.Literal('space-overview'),
    space: Space,
    live: Type.Optional(
      Type.Object(
        {
          commit: Type.Optional(GitOid),
          since: Type.Unsafe<string>({
            ...Moment,
            description: 'When this commit became live, or this content was made if that was long ago.',
          }),
          counts: Type.Object({
            pages: Type.Integer(),
            files: Type.Integer(),
            links: Type.Integer(),
            broken: Type.Integer(),
          }),
        },
        { description: 'The content that readers see; absent until the space has any.' },
      ),
    ),
    lastSync: Type.Optional(GitOperation),
  },
  { $id: 'SpaceOverview' },
);
export type SpaceOverview = Static<typeof SpaceOverview>;
