import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { listCommits } from '../git/read-commits.ts';
import { repositoryUrls } from '../present/repository.ts';
import type { PullRecord, RepositoryRecord } from '../state/records.ts';
import { commitState } from './commit-state.ts';
import { commitTable } from './commit-table.ts';
import { frame, stateLabel } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import type { PageResult, RepositoryPageCall } from './page.ts';

/** Pull requests, and commits of the default branch, shown on a repository's page; newest first. */
const MAX_PULLS = 200;
const MAX_COMMITS = 10;

/** `open`, `closed` or `merged`. */
export const pullState = (pull: PullRecord): string => (pull.mergedAt ? 'merged' : pull.state);

/** `/owner/name`: branches, pull requests and the latest commits, each with the state of its checks. */
export async function overviewPage(call: RepositoryPageCall): Promise<PageResult> {
  const { context, repository } = call;
  const { fullName: name, clone } = repositoryUrls(context, repository);
  const pulls = context.data.pulls.filter((pull) => pull.repositoryId === repository.id);
  const tip = repository.refs[`refs/heads/${repository.defaultBranch}`];
  return frame(
    name,
    [safeHtml`<span aria-current="page">${name}</span>`],
    safeHtml`<h1>${name}</h1>
<h2>Clone it</h2>
<pre tabindex="0">git clone ${clone}</pre>
<h2>Pull requests</h2>
${pulls.length === 0 ? safeHtml`<p class="empty">None yet.</p>` : pullTable(context, repository, name, pulls)}
${openForm(call, name)}
<details><summary>Open one with the API</summary>
<p>Push a branch, then call the API, with your name and token in place of <code>NAME:TOKEN</code>:</p>
<pre tabindex="0">curl -u NAME:TOKEN -d '{"title": "My change", "head": "my-branch", "base": "${repository.defaultBranch}"}' \\
  ${context.url}/api/v3/repos/${name}/pulls</pre></details>
<h2>Branches</h2>
${branchTable(call, name)}
${
  tip &&
  safeHtml`<h2>Latest commits of ${repository.defaultBranch}</h2>
${commitTable(context, repository, await listCommits(gitDirOf(context, repository.id), { include: [tip], limit: MAX_COMMITS }))}`
}`,
  );
}

/** A form for a pull request from any branch but the default one; nothing while there is none, and for private repositories. */
function openForm({ repository }: RepositoryPageCall, name: string): SafeHtml | null {
  const heads = Object.keys(repository.refs).filter((ref) => ref.startsWith('refs/heads/'));
  const branches = heads.map((ref) => ref.slice('refs/heads/'.length));
  const others = branches.filter((branch) => branch !== repository.defaultBranch);
  if (repository.private) return null;
  if (others.length === 0) return safeHtml`<p class="soft">Push another branch to open one here.</p>`;
  return safeHtml`<details><summary>Open a pull request</summary>
<form method="post" action="/${name}/pulls">
<p><label for="pull-head">Branch, to merge into ${repository.defaultBranch}</label><br>
<select id="pull-head" name="head">${others.toReversed().map((branch) => safeHtml`<option>${branch}</option>`)}</select></p>
<p><label for="pull-title">Title</label><br>
<input id="pull-title" name="title" type="text" required maxlength="256"></p>
<p><button type="submit">Open pull request</button></p>
</form></details>`;
}

function pullTable(
  context: ForgeContext,
  repository: RepositoryRecord,
  name: string,
  pulls: readonly PullRecord[],
): SafeHtml {
  return safeHtml`<div class="box scroll"><table><tbody>${pulls
    .toReversed()
    .slice(0, MAX_PULLS)
    .map(
      (pull) => safeHtml`<tr><td class="narrow">${stateLabel(pullState(pull))}</td>
<th scope="row"><a href="/${name}/pull/${pull.number}">${pull.title}</a> <span class="soft">#${pull.number}</span></th>
<td class="narrow">${commitState(context, repository, pull.headSha)}</td></tr>`,
    )}</tbody></table></div>`;
}

function branchTable({ context, repository }: RepositoryPageCall, name: string): SafeHtml {
  const branches = Object.entries(repository.refs).filter(([ref]) => ref.startsWith('refs/heads/'));
  if (branches.length === 0) return safeHtml`<p class="empty">Nothing was pushed yet.</p>`;
  return safeHtml`<div class="box scroll"><table><tbody>${branches.map(([ref, sha]) => {
    const branch = ref.slice('refs/heads/'.length);
    return safeHtml`<tr><th scope="row"><a href="/${name}/tree/${branch.split('/').map(encodeURIComponent).join('/')}">${branch}</a></th>
<td class="narrow"><a href="/${name}/commit/${sha}"><code>${sha.slice(0, 7)}</code></a></td>
<td class="narrow">${commitState(context, repository, sha)}</td></tr>`;
  })}</tbody></table></div>`;
}
