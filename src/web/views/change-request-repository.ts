import type { ChangeRequest } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import type { CarryingPull, SpaceRepository } from '../scheduled.ts';

/** Where a change request goes when it is merged, and the pull requests that carry it. */
export function renderRepositoryBox({
  changeRequest: { status },
  repository,
  pulls,
}: {
  readonly changeRequest: Pick<ChangeRequest, 'status'>;
  readonly repository: SpaceRepository | null;
  readonly pulls: readonly CarryingPull[];
}): Markup | null {
  const isOver = status === 'archived' || (status === 'merged' && pulls.length > 0);
  const words = repository === null || isOver ? null : describeWay(repository, status === 'merged');
  if (words === null && pulls.length === 0) return null;
  return html`<section aria-labelledby="docloom-repository"><h2 id="docloom-repository">Repository</h2>
${
  pulls.length === 0
    ? null
    : html`<ul class="plain people">${pulls.map(
        (pull) =>
          html`<li><span class="grow">${renderPull(pull)}</span>${
            pull.isOpen
              ? html`<span class="state good">Open</span>`
              : html`<span class="state idle">Closed</span>`
          }</li>
`,
      )}</ul>`
}${words === null ? null : html`<p class="small soft">${words}</p>`}</section>`;
}

function renderPull({ repository, number, url }: CarryingPull): Markup {
  const name = html`Pull request ${repository}#${number}`;
  const href = safeHref(url ?? undefined);
  return href === null ? name : html`<a href="${href}">${name}</a>`;
}

/** What the repository gets of what is merged here. */
export function describeWay({ name, url, branch, isExportedTo }: SpaceRepository, isMerged: boolean): Markup {
  const href = safeHref(url);
  const link = href === null ? html`${name}` : html`<a href="${href}">${name}</a>`;
  const what = isMerged ? 'What was merged' : 'What is merged';
  return isExportedTo
    ? html`${what} goes to ${link}, branch <code>${branch}</code>.`
    : html`${what} stays here, and pushes keep it: ${link} is only imported from. <code>direction: both</code> in its <code>docloom.yml</code> sends it there, too.`;
}
