import type { AgentInstructions, AgentInstructionsVersion, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath } from '../addresses.ts';
import { formatMoment } from '../format.ts';
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
    main: html`<p class="lead">What a language model is told when it answers readers and reads what they ask: tone, names of products, what to leave to your support.</p>
${instructions.use.used ? null : html`<p class="notice wait"><strong>Not used:</strong> ${lowerFirst(instructions.use.reason ?? 'nothing uses them.')}</p>`}
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

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function renderText(text: string): Markup {
  return text === ''
    ? html`<p class="soft">There are none.</p>`
    : html`<div class="card"><p class="said">${text}</p></div>`;
}

function renderForm(organization: Organization, text: string): Markup {
  return html`<form class="card reading" method="post" action="${organizationPath(organization.id, 'instructions')}">
${textArea({ id: 'docloom-instructions', name: 'instructions', label: 'Instructions', rows: 12, isRequired: false, maxLength: MAX_INSTRUCTIONS, value: text, hint: 'Plain paragraphs. Every version stays with who wrote it; only the newest is told. They never let a model say what your pages do not.', problem: null })}
<button type="submit">Save</button></form>`;
}

function renderVersion({ version, author, createdAt, text }: ShownVersion, now: Date): Markup {
  return html`<li class="list-row"><details class="list-main"><summary>Version ${version}, by ${author}</summary>
<p class="said small">${text === '' ? 'Empty' : text}</p></details>
<span class="small soft list-time">${formatMoment(createdAt, now)}</span></li>
`;
}
