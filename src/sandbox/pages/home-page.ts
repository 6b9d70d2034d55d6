import { canSee } from '../api/caller.ts';
import { findInstallation, fullNameOf } from '../state/find-records.ts';
import { frame } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import type { PageCall } from './page.ts';

/** `/`: the repositories that the caller may see. */
export function homePage({ context, caller }: PageCall): SafeHtml {
  const repositories = context.data.repositories.filter((repository) => canSee(context, caller, repository));
  const rows = repositories.map((repository) => {
    const name = fullNameOf(context.data, repository);
    const open = context.data.pulls.filter(
      (pull) => pull.repositoryId === repository.id && pull.state === 'open',
    ).length;
    return safeHtml`<tr><th scope="row"><a href="/${name}">${name}</a></th>
<td>${repository.private ? 'private' : 'public'}${repository.forkOf === null ? null : ', fork'}</td>
<td>${open === 0 ? safeHtml`<span class="soft">none open</span>` : `${open} open`}</td><td>${findInstallation(context.data, repository) ? 'installed' : safeHtml`<span class="soft">not installed</span>`}</td></tr>`;
  });
  return frame(
    'Repositories',
    [],
    safeHtml`<h1>Repositories</h1>
<p class="sentence soft">Each is a real git repository on this machine.</p>
${
  rows.length === 0
    ? safeHtml`<p class="empty">There is no repository yet, or none that is public.</p>`
    : safeHtml`<div class="box scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Pull requests</th><th scope="col">App</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}`,
  );
}
