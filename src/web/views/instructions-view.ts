import type { AgentInstructions, AgentInstructionsVersion, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { formatMessage, formatMoment } from '../format.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { textArea } from './text-area.ts';

export const MAX_INSTRUCTIONS = 20_000;

/** A version with its text, and the name of who wrote it. */
export interface ShownVersion extends AgentInstructionsVersion {
  readonly text: string;
  readonly author: string;
}

/** What the organization tells its language model, and whether anything uses it. */
export function renderInstructions(
  options: PageNews & {
    readonly organization: Organization;
    readonly instructions: AgentInstructions;
    readonly text: string;
    readonly versions: readonly ShownVersion[];
    readonly more: string | null;
    readonly user: { readonly displayName: string };
    readonly now: Date;
  },
): string {
  const { organization, instructions, text, versions, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'instructions',
    actions: instructions.use.used
      ? html`<span class="state good">In use</span>`
      : html`<span class="state">Not used</span>`,
    main: html`<p class="lead">What a language model is told when it answers questions, reads what people ask, and translates: tone, names of products, what to leave to your support.</p>
${renderUse(instructions.use)}
${organization.permissions.admin ? renderForm(organization, text) : renderText(text)}
<h2 id="docloom-versions">Versions</h2>
${
  versions.length === 0
    ? html`<p class="soft">Nobody has written any.</p>`
    : html`<ul class="plain list" aria-labelledby="docloom-versions">
${versions.map((version) => renderVersion(version, now))}</ul>`
}
${renderMore(options.more, 'Earlier versions')}`,
  });
}

const USES = [
  ['answers', 'Answers to questions'],
  ['issues', 'What people ask, and its groups'],
  ['translations', 'Translations'],
] as const;

/** What follows the instructions now, and why the rest does not. */
function renderUse(use: AgentInstructions['use']): Markup {
  return html`<h2 id="docloom-use">What follows them</h2>
<ul class="plain list" aria-labelledby="docloom-use">
${USES.map(([name, label]) => {
  const { used, reason } = use[name];
  return html`<li class="list-row"><div class="list-main">${label}${reason === undefined ? null : html`<p class="small soft">${formatMessage(reason)}</p>`}</div>
${used ? html`<span class="state good">In use</span>` : html`<span class="state">Not used</span>`}</li>
`;
})}</ul>`;
}

function renderText(text: string): Markup {
  return text === ''
    ? html`<p class="soft">There are none.</p>`
    : html`<div class="card after"><p class="said">${text}</p></div>`;
}

function renderForm(organization: Organization, text: string): Markup {
  return html`<form class="card reading after" method="post" action="${organizationPath(organization.id, 'instructions')}">
${textArea({ id: 'docloom-instructions', name: 'instructions', label: 'Instructions', rows: 12, isRequired: false, maxLength: MAX_INSTRUCTIONS, value: text, hint: 'Plain paragraphs. Every version stays with who wrote it; only the newest is told. They never let a model say what your pages do not.', problem: null })}
<button type="submit">Save</button></form>`;
}

function renderVersion({ version, author, createdAt, text }: ShownVersion, now: Date): Markup {
  return html`<li class="list-row"><details class="list-main"><summary>Version ${version}, by ${author}</summary>
<p class="said small">${text === '' ? 'Empty' : text}</p></details>
<span class="small soft list-time">${formatMoment(createdAt, now)}</span></li>
`;
}
