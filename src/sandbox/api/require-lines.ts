import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { listChanges } from '../git/read-changes.ts';
import { findMergeBase } from '../git/read-commits.ts';
import type { PullRecord } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';

/** A place that a comment is about: a line of the new side, or a whole file. */
export interface CommentedPlace {
  readonly path: string;
  readonly line: number | null;
}

/** Throws a 422 when a comment is on a file or a line that the diff does not show: GitHub refuses it. */
export async function requireLines(
  context: ForgeContext,
  pull: PullRecord,
  head: string,
  places: readonly CommentedPlace[],
): Promise<void> {
  const gitDir = gitDirOf(context, pull.repositoryId);
  const base = (await findMergeBase(gitDir, pull.baseSha, head)) ?? pull.baseSha;
  const changes = new Map(
    (await listChanges(gitDir, base, head)).map((change) => [change.path, change.patch]),
  );
  for (const { path, line } of places) {
    const patch = changes.get(path);
    if (patch === undefined || (line !== null && patch === null)) throw refusal('Path could not be resolved');
    if (line === null) continue;
    const isShown = [...(patch ?? '').matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].some(
      ([, start, count]) => {
        const first = Number(start);
        return line >= first && line < first + Number(count ?? 1);
      },
    );
    if (!isShown) throw refusal('Line could not be resolved');
  }
}

function refusal(message: string): ForgeApiError {
  return new ForgeApiError(422, `Unprocessable Entity: ${message}`);
}
