import type { GitOperation, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { spacePath } from '../addresses.ts';
import { formatMoment, formatOid } from '../format.ts';
import { type Counts, renderNumbers } from './numbers.ts';
import { renderLatest, renderReason } from './operation-state.ts';

export interface SpaceCard {
  readonly space: Space;
  /** The live content; null until something was imported. */
  readonly live: { readonly oid: string | null; readonly at: string; readonly counts: Counts } | null;
  readonly lastOperation: GitOperation | null;
  /** Why pushes no longer reach it; null while they do. */
  readonly disconnected: string | null;
}

/** `nested`: below the title of its organization. */
export function renderCard(card: SpaceCard, nested: boolean, now: Date): Markup {
  const { space, live, lastOperation, disconnected } = card;
  const link = html`<a href="${spacePath(space.id)}">${space.emoji ? `${space.emoji} ` : null}${space.title}</a>`;
  return html`<li class="card">
<div class="card-head">${nested ? html`<h3>${link}</h3>` : html`<h2>${link}</h2>`}${renderLatest(lastOperation, disconnected)}</div>
<p class="small soft">${
    live === null
      ? 'Nothing is live yet.'
      : live.oid === null
        ? html`Changed here ${formatMoment(live.at, now)}${source(space)}`
        : html`${formatOid(live.oid)} is live, imported ${formatMoment(live.at, now)}${source(space)}`
  }</p>
${live === null ? null : renderNumbers(live.counts)}
${disconnected === null ? null : html`<p class="small foot">${disconnected}</p>`}
${lastOperation?.error ? html`<p class="small error foot">${renderReason(lastOperation)}</p>` : null}
</li>
`;
}

function source({ gitSync }: Space): Markup | null {
  return gitSync?.repoName ? html`<br>from ${gitSync.repoName}` : null;
}
