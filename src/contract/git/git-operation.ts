import Type, { type Static } from 'typebox';
import { GitOid, Id, Moment } from '../scalars.ts';

/** A notice for people about one imported file. */
export const ContentNotice = Type.Object({
  code: Type.Enum(
    [
      'name-refused',
      'submodule',
      'symlink',
      'too-large',
      'lfs-pointer',
      'same-name',
      'not-on-windows',
      'unread',
    ],
    {
      type: 'string',
      description:
        '`name-refused`: left out, as its name is not allowed. `submodule`: left out, as its files are in another repository. `symlink`: a symbolic link that leads to no file of the repository. `too-large`: listed without its bytes. `lfs-pointer`: the repository contains only a pointer; the bytes are in Git LFS. `same-name`: some file systems cannot tell it from another file of the space. `unread`: the file, or a part of it, could not be read as a page.',
    },
  ),
  path: Type.String({ description: 'In the repository; bytes that are not UTF-8 show as U+FFFD.' }),
  line: Type.Optional(Type.Integer()),
  message: Type.String({ description: 'One sentence for people.' }),
});
export type ContentNotice = Static<typeof ContentNotice>;

export const stages = ['repo_fetch', 'config_check', 'content_process', 'finalize'] as const;

/** Of how many newest operations of a space it is seen since when a commit is live, so that every page shows the same time. */
export const RECENT_OPERATIONS = 15;

/**
 * An import or export. `running` without `startedAt` means that it is waiting. An operation that a newer one made
 * unnecessary has the state `success` with `skipped: true` and the reason in `message`.
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
    unchanged: Type.Boolean({ description: 'The content was already live, so no revision was written.' }),
    message: Type.Optional(Type.String({ description: 'What happened, in one sentence for people.' })),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'Stable, for example `ref-not-found`.' }),
          message: Type.String({ description: 'What is wrong, where, and what to do.' }),
          path: Type.Optional(Type.String()),
          line: Type.Optional(Type.Integer()),
          paths: Type.Optional(
            Type.Array(Type.String(), { description: 'Of a `conflict`: the files that both sides changed.' }),
          ),
        },
        { description: 'Also present while `running`, after an attempt failed and before the next.' },
      ),
    ),
    url: Type.String({ description: 'The repository, without credentials.' }),
    ref: Type.String(),
    directory: Type.String(),
    standalone: Type.Boolean(),
    commit: Type.Optional(GitOid),
    revision: Type.Optional(Id),
    counts: Type.Optional(
      Type.Object({
        pages: Type.Integer(),
        files: Type.Integer(),
        links: Type.Integer(),
        broken: Type.Integer(),
      }),
    ),
    notices: Type.Optional(
      Type.Object(
        { count: Type.Integer(), items: Type.Array(ContentNotice, { maxItems: 50 }) },
        {
          description:
            'Of an import: files that are not shown as they are in the repository, the first 50 of `count`. Absent if there are none.',
        },
      ),
    ),
    lost: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: 'Of files and pages.' }),
          since: Moment,
          isDue: Type.Boolean({
            description:
              'Whether another import of the branch fetches them; false after one that did not find all of them.',
          }),
        },
        {
          description:
            'Of the newest successful import, on the first page of the list: bytes of the current content that this server lost. Absent if there are none.',
        },
      ),
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
