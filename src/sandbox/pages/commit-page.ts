import { resolveRef } from '../api/resolve-ref.ts';
import { gitDirOf } from '../forge-context.ts';
import { EMPTY_TREE, listChanges } from '../git/read-changes.ts';
import { loadCommit } from '../git/read-commits.ts';
import { fullNameOf } from '../state/find-records.ts';
import { checkReport } from './check-report.ts';
import { changeTable } from './commit-table.ts';
import { frame } from './frame.ts';
import { safeHtml } from './html.ts';
import { type PageResult, type RepositoryPageCall, trailOf } from './page.ts';

/** `/owner/name/commit/<ref>`: the checks of a commit, and the files that it changes against its first parent. */
export async function commitPage(call: RepositoryPageCall): Promise<PageResult> {
  const { context, repository, rest } = call;
  const sha = rest.length === 2 ? await resolveRef(context, repository, rest[1] ?? '') : null;
  if (!sha) return null;
  const gitDir = gitDirOf(context, repository.id);
  const commit = await loadCommit(gitDir, sha);
  const [title = '', ...more] = commit.message.split('\n');
  const text = more.join('\n').trim();
  return frame(
    title,
    trailOf(call, safeHtml`<span aria-current="page">${sha.slice(0, 7)}</span>`),
    safeHtml`<h1>${title || 'Commit without a message'}</h1>
<p class="sentence soft"><code>${sha}</code> by ${commit.author.name} · <a href="/${fullNameOf(context.data, repository)}/tree/${sha}">browse its files</a></p>
${text && safeHtml`<pre tabindex="0">${text}</pre>`}
${await checkReport(context, repository, sha)}
<h2>Files changed</h2>
${changeTable(await listChanges(gitDir, commit.parents[0] ?? EMPTY_TREE, sha))}`,
  );
}
