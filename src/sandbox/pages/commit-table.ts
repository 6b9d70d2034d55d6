import type { ForgeContext } from '../forge-context.ts';
import type { Commit } from '../git/loose-commit.ts';
import type { FileChange } from '../git/read-changes.ts';
import { fullNameOf } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { commitState } from './commit-state.ts';
import { type SafeHtml, safeHtml } from './html.ts';

/** Changed files shown on a page. */
const MAX_CHANGES = 300;

/** Commits with the state of their checks. */
export function commitTable(
  context: ForgeContext,
  repository: RepositoryRecord,
  commits: readonly Commit[],
): SafeHtml {
  const name = fullNameOf(context.data, repository);
  return safeHtml`<div class="box scroll"><table><tbody>${commits.map(
    (
      commit,
    ) => safeHtml`<tr><td class="narrow"><a href="/${name}/commit/${commit.sha}"><code>${commit.sha.slice(0, 7)}</code></a></td>
<th scope="row">${commit.message.split('\n')[0] ?? ''}</th><td class="narrow">${commitState(context, repository, commit.sha)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Changed files, each with its diff to expand. */
export function changeTable(changes: readonly FileChange[]): SafeHtml {
  if (changes.length === 0) return safeHtml`<p class="empty">No file differs.</p>`;
  const rest = changes.length - MAX_CHANGES;
  return safeHtml`<div class="box scroll"><table><tbody>${changes.slice(0, MAX_CHANGES).map(
    (change) => safeHtml`<tr><td class="narrow">${change.status}</td><td>${changedFile(change)}</td>
<td class="narrow soft">+${change.additions} −${change.deletions}</td></tr>`,
  )}</tbody></table></div>
${rest > 0 && safeHtml`<p class="soft">… and ${rest} more.</p>`}`;
}

function changedFile(fileChange: FileChange): SafeHtml {
  const path = safeHtml`${fileChange.previousPath !== null && safeHtml`<code>${fileChange.previousPath}</code> → `}<code>${fileChange.path}</code>`;
  if (fileChange.patch === null || fileChange.patch === '') return path;
  return safeHtml`<details><summary>${path}</summary><pre tabindex="0">${fileChange.patch}</pre></details>`;
}
