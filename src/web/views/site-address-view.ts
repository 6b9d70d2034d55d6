import type { EmailDomain } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { sitePath } from '../addresses.ts';
import { renderFacts } from './facts.ts';
import type { PageNews } from './organization-frame.ts';
import { type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { textInput } from './text-input.ts';

/** Where a site is served: its path, a host of its own with the proof that it takes, and a proxy. */
export function renderSiteAddress(
  options: ManagedSiteFrame &
    PageNews & {
      /** The proof of the host's domain; null where none is needed or asked for. */ readonly proof: EmailDomain | null;
    },
): string {
  const { organization, site, proof } = options;
  const path = sitePath(organization.id, site.id, 'address');
  const address = safeHref(site.urls.published);
  return renderManagedSitePage({
    ...options,
    tab: 'address',
    main: html`<div class="reading">
${renderFacts([
  ['Address', address === null ? 'None until it is published' : html`<a href="${address}">${address}</a>`],
  ...(site.proxy === undefined
    ? []
    : [['Fetched by the proxy from', html`<code class="copy">${site.proxy.target}</code>`] as const]),
])}
<form class="card" method="post" action="${path}">
${textInput({ id: 'docloom-basename', name: 'basename', label: 'Name in its address', type: 'text', autocomplete: 'off', maxLength: 100, value: site.basename })}
${textInput({ id: 'docloom-hostname', name: 'hostname', label: 'A host of its own', type: 'text', autocomplete: 'off', maxLength: 253, value: site.hostname ?? '', isOptional: true, hint: 'Such as docs.example.com. Lead it to this server by DNS; the organization proves the domain, or one above it, once.' })}
${textInput({ id: 'docloom-proxy', name: 'proxy', label: 'Under the address of another site', type: 'text', autocomplete: 'off', maxLength: 512, value: site.proxy?.origin ?? '', isOptional: true, hint: 'Such as example.com/docs, where a proxy of yours shows it. Every address of the site is made so.' })}
<button type="submit">Save</button>
</form>
${renderHost(options, proof)}
</div>`,
  });
}

function renderHost({ organization, site }: ManagedSiteFrame, proof: EmailDomain | null): Markup | null {
  if (site.hostname === undefined) return null;
  if (site.hostnameStatus === 'proved')
    return html`<p class="notice good">The domain of <strong>${site.hostname}</strong> is proved, so the site is served there.</p>`;
  const path = sitePath(organization.id, site.id, 'address/prove');
  return html`<div class="notice wait"><p><strong>${site.hostname} is not served yet:</strong> its domain is not proved.</p>
${
  proof === null
    ? null
    : html`<p>Add this TXT record to the DNS of ${proof.domain}, then check it:</p>
<p><code class="copy">${proof.record.name}</code> TXT <code class="copy">${proof.record.value}</code></p>`
}
<form method="post" action="${path}"><button class="quiet" type="submit">${proof === null ? 'Show the record to add' : 'Check the record now'}</button></form></div>`;
}
