import type { OpenAPISpec, OpenAPISpecVersion, Organization } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { organizationPath, specPath } from '../addresses.ts';
import { formatMessage, formatMoment } from '../format.ts';
import { confirmation } from './checkbox.ts';
import { renderTable } from './data-table.ts';
import { renderFacts } from './facts.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { textArea } from './text-area.ts';
import { textInput } from './text-input.ts';

interface Listed extends PageNews {
  readonly organization: Organization;
  readonly user: { readonly displayName: string };
}

/** The API specifications of an organization, each with its state. */
export function renderSpecs(
  options: Listed & {
    readonly specs: readonly OpenAPISpec[];
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { organization, specs, more, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'specs',
    actions: organization.permissions.createOpenAPISpec
      ? html`<a class="button" href="${organizationPath(organization.id, 'specs/new')}">New specification</a>`
      : null,
    main: html`<p class="lead">Pages show the operations of these specifications by their names.</p>
${
  specs.length === 0
    ? html`<div class="empty"><p>There is no API specification yet. A repository names its own under <code>openapi</code> in <code>docloom.yml</code>.</p></div>`
    : html`<ul class="plain list">
${specs.map(
  (spec) =>
    html`<li class="list-row"><div class="list-main"><a href="${specPath(organization.id, spec.slug)}">${spec.slug}</a>
<p class="small soft">${spec.sourceURL ?? 'Uploaded'}${spec.visibility === 'public' ? ' · public' : null}</p></div>
<span class="small soft list-time">${spec.lastProcessedAt === undefined ? null : formatMoment(spec.lastProcessedAt, now)}</span>${renderSpecState(spec)}</li>
`,
)}</ul>`
}
${renderMore(more, 'More specifications')}`,
  });
}

function renderSpecState({ processingState, lastProcessErrorCode }: OpenAPISpec): Markup {
  if (processingState !== 'complete') return html`<span class="state wait">Being read</span>`;
  return lastProcessErrorCode === undefined
    ? html`<span class="state good">Up to date</span>`
    : html`<span class="state bad">Failed</span>`;
}

/** One specification: where it comes from, what is wrong with it, and its versions. */
export function renderSpec(
  options: Listed & {
    readonly spec: OpenAPISpec;
    readonly versions: readonly OpenAPISpecVersion[];
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { organization, spec, versions, more, now } = options;
  const published = safeHref(spec.urls.published);
  return renderOrganizationPage({
    ...options,
    section: 'specs',
    title: spec.slug,
    actions: renderSpecState(spec),
    main: html`${renderFacts([
      ['Source', spec.sourceURL ?? 'Uploaded'],
      ['Read', spec.lastProcessedAt === undefined ? 'Not yet' : formatMoment(spec.lastProcessedAt, now)],
      ...(published === null ? [] : [['Document', html`<a href="${published}">${published}</a>`] as const]),
    ])}
${
  (spec.lastProcessedErrors ?? []).length === 0
    ? null
    : html`<div class="notice bad"><p><strong>It could not be read.</strong>${versions.length === 0 ? null : ' The version before is still shown.'}</p>
<ul>${spec.lastProcessedErrors?.map(({ message, path, line }) => html`<li>${formatMessage(message)}${path === undefined ? null : html` <code>${path}${line === undefined ? null : `:${line}`}</code>`}</li>`)}</ul></div>`
}
${spec.permissions.edit ? renderSpecForms(organization, spec) : null}
${renderTable({
  id: 'docloom-versions',
  title: 'Versions',
  columns: ['Created', 'Version'],
  rows: versions.map(
    ({ id, createdAt }) =>
      html`<tr><td class="time">${createdAt === undefined ? null : formatMoment(createdAt, now)}</td><th scope="row"><code>${id}</code>${id === spec.lastVersion ? html` <span class="state good">Shown</span>` : null}</th></tr>
`,
  ),
  empty: 'No version was read yet.',
})}
${renderMore(more, 'Earlier versions')}`,
  });
}

function renderSpecForms(organization: Organization, spec: OpenAPISpec): Markup {
  const path = (part: string) => specPath(organization.id, spec.slug, part);
  return html`<div class="buttons">
<a class="button quiet" href="${path('source')}">Read it again, or from elsewhere</a></div>
<div class="side-by-side after">
<form class="card" method="post" action="${path('visibility')}">
${selectInput({
  id: 'docloom-visibility',
  name: 'visibility',
  label: 'Who reads its document',
  options: [
    { value: 'private', label: 'Members' },
    { value: 'public', label: 'Everybody who has the address' },
  ],
  selected: spec.visibility ?? 'private',
})}
<button type="submit">Save</button></form>
<form class="card" method="post" action="${path('delete')}">
<h2>Delete it</h2>
<p>All its versions are gone, and pages that show its operations say so.</p>
${confirmation(`Delete ${spec.slug}`)}
<button class="danger" type="submit">Delete the specification</button></form></div>`;
}

/** A form for a new specification, or for another source of one. */
export function renderSpecSource(
  options: Listed & {
    /** Null for a new one. */
    readonly slug: string | null;
    readonly values: { readonly slug: string; readonly url: string; readonly text: string };
  },
): string {
  const { organization, slug, values } = options;
  return renderOrganizationPage({
    ...options,
    section: 'specs',
    ...(slug === null ? {} : { crumbs: [{ title: slug, href: specPath(organization.id, slug) }] }),
    title: slug === null ? 'New specification' : 'Source',
    main: html`<form class="card reading" method="post" action="${slug === null ? organizationPath(organization.id, 'specs/new') : specPath(organization.id, slug, 'source')}">
${slug === null ? textInput({ id: 'docloom-slug', name: 'slug', label: 'Name', type: 'text', autocomplete: 'off', maxLength: 100, value: values.slug, hint: 'Letters, digits and single hyphens, such as pet-store. Pages name it so.' }) : null}
${textInput({ id: 'docloom-url', name: 'url', label: 'Address', type: 'text', autocomplete: 'off', maxLength: 2048, value: values.url, isOptional: true, hint: 'Where the document is fetched from, in JSON or YAML. Saving it reads it now. An address that takes a password or a header is set through the API; saved here, it is fetched without them.' })}
${textArea({ id: 'docloom-text', name: 'text', label: 'Or the document itself', rows: 12, isRequired: false, maxLength: 2_000_000, value: values.text, hint: 'Used where the address is empty. Larger documents are sent through the API.', problem: null })}
<div class="buttons"><button type="submit">${slug === null ? 'Create' : 'Save'}</button><a href="${slug === null ? organizationPath(organization.id, 'specs') : specPath(organization.id, slug)}">Cancel</a></div>
</form>`,
  });
}
