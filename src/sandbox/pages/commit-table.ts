import type { ForgeContext } from '../forge-context.ts';
import type { Commit } from '../git/loose-commit.ts';
import type { FileChange } from '../git/read-changes.ts';
import { fullName } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { commitState } from './commit-state.ts';
import { type SafeHtml, safeHtml } from './html.ts';

/** Changed files shown on a page. */
const MAX_CHANGES = 300;

/** Commits with what the checks said of each. */
export function commitTable(
  context: ForgeContext,
  repository: RepositoryRecord,
  commits: readonly Commit[],
): SafeHtml {
  const name = fullName(context.data, repository);
  return safeHtml`<div class="box scroll"><table><tbody>${commits.map(
    (
      one,
    ) => safeHtml`<tr><td class="narrow"><a href="/${name}/commit/${one.sha}"><code>${one.sha.slice(0, 7)}</code></a></td>
<th scope="row">${one.message.split('\n')[0] ?? ''}</th><td class="narrow">${commitState(context, repository, one.sha)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Changed files, each with its difference to open. */
export function changeTable(changes: readonly FileChange[]): SafeHtml {
  if (changes.length === 0) return safeHtml`<p class="empty">No file differs.</p>`;
  const rest = changes.length - MAX_CHANGES;
  return safeHtml`<div class="box scroll"><table><tbody>${changes.slice(0, MAX_CHANGES).map(
    (one) => safeHtml`<tr><td class="narrow">${one.status}</td><td>${changedFile(one)}</td>
<td class="narrow soft">+${one.additions} −${one.deletions}</td></tr>`,
  )}</tbody></table></div>
${rest > 0 && safeHtml`<p class="soft">… and ${rest} more.</p>`}`;
}

function changedFile(one: FileChange): SafeHtml {
  const path = safeHtml`${one.previousPath !== null && safeHtml`<code>${one.previousPath}</code> → `}<code>${one.path}</code>`;
  if (one.patch === null || one.patch === '') return path;
  return safeHtml`<details><summary>${path}</summary><pre>${one.patch}</pre></details>`;
}
