import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath } from '../addresses.ts';
import { plural } from '../format.ts';
import type { ChangeRequestFacts } from './change-request-facts.ts';

/** Whether it can be merged, with each rule; the button, or the reasons why there is none. */
export function renderMergeBox({ space, changeRequest, merge }: ChangeRequestFacts): Markup | null {
  const { number, status, outdated, permissions } = changeRequest;
  if (status === 'merged' || status === 'archived') return null;
  const { mergeable, rules, rulesOf, bypassed, conflicts, blockers } = merge;
  const others = blockers.filter(({ kind }) => kind !== 'rule' && kind !== 'conflict');
  const act = (part: string) => changeRequestPath(space.id, number, part);
  return html`<section class="card merge-box ${mergeable ? 'good' : 'wait'}" aria-labelledby="docloom-merge">
<h2 id="docloom-merge">${mergeable ? 'Ready to merge' : 'Not ready to merge'}</h2>
${
  rules.length === 0 && others.length === 0 && conflicts === 0
    ? html`<p class="soft small">No merge rules are set${bypassed ? null : ' here'}.</p>`
    : html`<ul class="plain checks">
${rules.map(
  ({ met, message }) =>
    html`<li class="${met ? 'met' : 'unmet'}"><span class="visually-hidden">${met ? 'Met: ' : 'Not met: '}</span>${message}</li>
`,
)}${others.map(({ message }) => html`<li class="unmet"><span class="visually-hidden">Not met: </span>${message}</li>\n`)}${
  conflicts === 0
    ? null
    : html`<li class="unmet"><span class="visually-hidden">Not met: </span><a href="${act('conflicts')}">${plural(conflicts, 'file')}</a> changed in the space, too.</li>
`
}</ul>`
}
${rules.length > 0 ? html`<p class="soft small">The rules are those of the ${rulesOf}.${bypassed ? ' You may merge whatever they say.' : null}</p>` : null}
${conflicts > 0 && permissions.edit ? html`<p><a class="button" href="${act('conflicts')}">Decide about ${plural(conflicts, 'file')}</a></p>` : null}
${
  outdated && conflicts === 0 && permissions.edit
    ? html`<form method="post" action="${act('update')}"><button type="submit" class="quiet">Update with what the space has now</button></form>`
    : null
}
${mergeable ? html`<form method="post" action="${act('merge')}"><button type="submit">Merge</button></form>` : null}
</section>`;
}
