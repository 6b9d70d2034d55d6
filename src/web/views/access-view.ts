import type { MemberAccess } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';

type Source = MemberAccess['sources'][number];

const CAPS: Readonly<Record<MemberAccess['caps'][number]['type'], string>> = {
  disabled: 'The membership is disabled: nothing but what everybody may read is open.',
  sso: 'Only single sign-on is taken: without it, nothing but what everybody may read is open.',
  token: 'The token with which this session was begun allows no more than its own role.',
};

/** Why somebody has the role that they have: every source of it, the one that counts, and what keeps it lower. */
export function renderAccess({ role, sources, caps }: MemberAccess, who: string): Markup {
  // A token that allows as much as the member has lowers nothing.
  const lowering = caps.filter(
    ({ type }) => type !== 'token' || sources.some((source) => source.wins && source.role !== role),
  );
  return html`<p>${who} ${who === 'You' ? 'have' : 'has'} the role <strong>${role}</strong>: the highest of these counts.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Role</th><th scope="col">From</th></tr></thead>
<tbody>
${sources.map(
  (source) =>
    html`<tr><th scope="row">${source.role}${source.wins ? html` <span class="state good">Counts</span>` : null}</th><td>${describeSource(source)}</td></tr>
`,
)}</tbody></table></div>
${lowering.length === 0 ? null : html`<ul class="plain">${lowering.map(({ type }) => html`<li class="notice wait">${CAPS[type]}</li>`)}</ul>`}`;
}

function describeSource({ type, team, space, collection }: Source): string {
  const where =
    space !== undefined
      ? 'in this space'
      : collection !== undefined
        ? 'in the collection, or one above'
        : 'in the whole organization';
  switch (type) {
    case 'member':
      return 'The role of the member in the organization.';
    case 'grant':
      return team === undefined
        ? `Granted to them ${where}.`
        : `Granted to the team “${team.title}” ${where}.`;
    case 'default-level':
      return `The default level ${space !== undefined ? 'of this space' : 'of a collection'} for all members and guests.`;
    case 'in-collection':
      return 'This space is open to whoever the default level of its collection lets in.';
    case 'visibility':
      return 'The space is public or unlisted: everybody who signs in may read it.';
  }
}
