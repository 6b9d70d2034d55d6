import { createHash } from 'node:crypto';

/** What a schedule runs again and again: a kind of job for a repository, or for a part of it. */
export type ScheduledWork =
  | { readonly kind: 'external-links'; readonly repositoryId: number }
  | { readonly kind: 'specification'; readonly repositoryId: number; readonly name: string }
  | {
      readonly kind: 'translation';
      readonly repositoryId: number;
      /** Of the space that is translated; empty for the root. Read from the key of a long one, only its beginning. */
      readonly directory: string;
      /** The first language of the configuration's entry: two entries of a space differ in it. */
      readonly language: string;
    };

/** Longer encoded directories are cut, and a digest tells them apart: a key has 200 characters at most. */
const longestDirectory = 150;
const longestBeginning = 112;

/** The key of a schedule, unique among those of its kind of job. Keys are stored, so their form stays. */
export function writeScheduleKey(work: ScheduledWork): string {
  switch (work.kind) {
    case 'external-links':
      return String(work.repositoryId);
    case 'specification':
      return `${work.repositoryId}/${work.name}`;
    case 'translation': {
      // A folder's name may contain characters that a key may not.
      const directory = Buffer.from(work.directory).toString('base64url');
      if (directory.length <= longestDirectory) return `${work.repositoryId}/${directory}.${work.language}`;
      const digest = createHash('sha256').update(work.directory).digest('base64url').slice(0, 22);
      return `${work.repositoryId}/${directory.slice(0, longestBeginning)}.${work.language}.${digest}`;
    }
  }
}

/** The work behind a key that `writeScheduleKey` wrote for this kind, in this release or an earlier one. */
export function readScheduleKey(kind: ScheduledWork['kind'], key: string): ScheduledWork {
  const [id = '', part = ''] = key.split('/', 2);
  const repositoryId = Number(id);
  if (kind === 'external-links') return { kind, repositoryId };
  if (kind === 'specification') return { kind, repositoryId, name: part };
  const [directory = '', language = ''] = part.split('.', 2);
  return { kind, repositoryId, directory: Buffer.from(directory, 'base64url').toString(), language };
}
