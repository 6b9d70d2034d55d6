import Type, { type Static } from 'typebox';
import { Id, Moment, Oid } from '../scalars.ts';

export const stages = ['repo_fetch', 'config_check', 'content_process', 'finalize'] as const;

/**
 * One import or export. `running` without `startedAt` waits for its turn. An operation that was not needed,
 * because a newer one was there, ends as `success` with `skipped: true` and says so in `message`.
 */
export const GitOperation = Type.Object(
  {
    object: Type.Literal('git-operation'),
    id: Id,
    direction: Type.Enum(['import', 'export'], { type: 'string' }),
    state: Type.Enum(['running', 'success', 'failure'], { type: 'string' }),
    stage: Type.Optional(Type.Enum([...stages], { type: 'string' })),
    progress: Type.Optional(
      Type.Object({ done: Type.Integer(), total: Type.Integer() }, { description: 'Files, in this stage.' }),
    ),
    skipped: Type.Boolean(),
    unchanged: Type.Boolean({ description: 'The content was live already, so no revision was written.' }),
    message: Type.Optional(Type.String({ description: 'What happened, in one sentence for people.' })),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'Stable, as `ref-not-found`.' }),
          message: Type.String({ description: 'What is wrong, where, and what to do.' }),
          path: Type.Optional(Type.String()),
          line: Type.Optional(Type.Integer()),
          paths: Type.Optional(
            Type.Array(Type.String(), { description: 'Of a `conflict`: the files that both sides changed.' }),
          ),
        },
        { description: 'Also there while `running`, when a try failed and the next one is due.' },
      ),
    ),
    url: Type.String({ description: 'The repository, without credentials.' }),
    ref: Type.String(),
    directory: Type.String(),
    standalone: Type.Boolean(),
    commit: Type.Optional(Oid),
    revision: Type.Optional(Id),
    counts: Type.Optional(
      Type.Object({
        pages: Type.Integer(),
        files: Type.Integer(),
        links: Type.Integer(),
        broken: Type.Integer(),
      }),
    ),
    attempts: Type.Integer(),
    timestamp: Moment,
    createdAt: Moment,
    startedAt: Type.Optional(Moment),
    endedAt: Type.Optional(Moment),
  },
  { $id: 'GitOperation' },
);
export type GitOperation = Static<typeof GitOperation>;
