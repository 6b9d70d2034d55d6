import type { ContentNotice, GitOperation } from '../../contract/index.ts';
import type { ListedOperation, LostContent, Notices } from '../../store/index.ts';
import type { StoredImport } from './stored-request.ts';

const states: Readonly<Record<string, GitOperation['state']>> = {
  pending: 'running',
  running: 'running',
  success: 'success',
  skipped: 'success',
  failure: 'failure',
};

/**
 * The public fields of a git operation; its request is shown without credentials, as it is stored.
 *
 * @param lost what was lost of the content that it imported
 */
export function presentGitOperation(
  { operation: row, counts, notices }: ListedOperation,
  lost?: LostContent,
): GitOperation {
  const request = row.request as StoredImport;
  return {
    object: 'git-operation',
    id: row.id,
    direction: row.direction as GitOperation['direction'],
    state: states[row.state] ?? 'running',
    skipped: row.state === 'skipped',
    unchanged: row.unchanged,
    url: request.url,
    ref: row.ref,
    directory: request.directory,
    standalone: row.standalone,
    attempts: row.attempts,
    timestamp: row.timestamp.toISOString(),
    createdAt: row.createdAt.toISOString(),
    ...(row.stage === null ? {} : { stage: row.stage as NonNullable<GitOperation['stage']> }),
    ...(row.progress === null ? {} : { progress: row.progress as NonNullable<GitOperation['progress']> }),
    ...(row.message === null ? {} : { message: row.message }),
    ...(row.error === null ? {} : { error: row.error as NonNullable<GitOperation['error']> }),
    ...(row.commitOid === null ? {} : { commit: row.commitOid }),
    ...(row.revisionId === null ? {} : { revision: row.revisionId }),
    ...(counts === null
      ? {}
      : {
          counts: {
            pages: counts.pages,
            files: counts.files,
            links: counts.links,
            broken: counts.broken,
          },
        }),
    ...(notices === null || row.direction !== 'import' ? {} : { notices: presentNotices(notices) }),
    ...(lost === undefined
      ? {}
      : { lost: { count: lost.count, since: lost.since.toISOString(), isDue: lost.isDue } }),
    ...(row.startedAt === null ? {} : { startedAt: row.startedAt.toISOString() }),
    ...(row.endedAt === null ? {} : { endedAt: row.endedAt.toISOString() }),
  };
}

function presentNotices({ count, items }: Notices): NonNullable<GitOperation['notices']> {
  return {
    count,
    items: items.map(({ reason: _, ...notice }) => notice as ContentNotice),
  };
}
