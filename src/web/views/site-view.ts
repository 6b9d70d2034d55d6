import { html, type Markup, safeHref } from '../../markup/index.ts';
import { sitePath } from '../addresses.ts';
import { formatMoment, plural } from '../format.ts';
import { confirmation } from './checkbox.ts';
import { renderFacts } from './facts.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { describeAudience, type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { titleInput } from './space-forms-view.ts';

/** What a site is, who reads it, and the way to publish it. */
export function renderSite(
  options: ManagedSiteFrame &
    PageNews & { /** How many redirects lead nowhere. */ readonly dead: number; readonly now: Date },
): string {
  const { organization, site, dead, now } = options;
  const path = (part: string) => sitePath(organization.id, site.id, part);
  const address = safeHref(site.urls.published ?? site.urls.preview);
  const { admin } = site.permissions;
  return renderManagedSitePage({
    ...options,
    tab: 'overview',
    main: html`${renderFacts([
      [
        'Readers',
        site.published ? describeAudience(site.visibility) : 'Members who may see its spaces',
        site.published ? undefined : `Published, it is for: ${describeAudience(site.visibility)}.`,
      ],
      [
        'Address',
        address === null ? 'None yet' : html`<a href="${address}">${address}</a>`,
        site.published ? undefined : 'Until it is published, only members who may see its spaces open it.',
      ],
      ['Spaces', plural(site.siteSpaces, 'space')],
      ['Created', formatMoment(site.createdAt, now)],
    ])}
${site.hostnameStatus === 'pending' ? html`<p class="notice wait"><strong>${site.hostname} is not served yet.</strong> Its domain is not proved. <a href="${path('address')}">See what to do</a></p>` : null}
${dead === 0 ? null : html`<p class="notice wait"><strong>${plural(dead, 'redirect')} ${dead === 1 ? 'leads' : 'lead'} nowhere.</strong> <a href="${path('redirects')}?dead=true">Show ${dead === 1 ? 'it' : 'them'}</a></p>`}
${admin ? renderPublishing(options) : null}
${admin ? renderSettings(options) : null}`,
  });
}

function renderPublishing({ organization, site }: ManagedSiteFrame): Markup {
  const part = site.published ? 'unpublish' : 'publish';
  const words = site.published ? 'Unpublish…' : 'Publish…';
  return html`<p><a class="button${site.published ? ' quiet' : ''}" href="${sitePath(organization.id, site.id, part)}">${words}</a></p>`;
}

function renderSettings({ organization, site }: ManagedSiteFrame): Markup {
  const path = (part: string) => sitePath(organization.id, site.id, part);
  return html`<div class="side-by-side after">
<form class="card" method="post" action="${path('settings')}">
<h2>Name</h2>
${titleInput(site.title)}
<button type="submit">Save</button>
</form>
<form class="card" method="post" action="${path('delete')}">
<h2>Delete this site</h2>
<p>Its address stops working at once, and its structure, share links and redirects are gone. Its spaces stay.</p>
${confirmation(`Delete ${site.title}`)}
<button class="danger" type="submit">Delete the site</button>
</form></div>`;
}

/** What publishing a site, or taking it back, means for whom. */
export function renderPublishQuestion(options: ManagedSiteFrame & PageNews): string {
  const { organization, site } = options;
  const path = (part: string) => sitePath(organization.id, site.id, part);
  return renderOrganizationPage({
    ...options,
    section: 'sites',
    crumbs: [{ title: site.title, href: path('') }],
    title: site.published ? 'Unpublish this site' : 'Publish this site',
    main: html`<div class="reading card">
${
  site.published
    ? html`<p class="lead">After this, only members who may see its spaces read it. Everybody else sees a page that says that there is nothing.</p>`
    : html`<p class="lead">After this, these people read ${plural(site.siteSpaces, 'space')} on it:</p>
<p><strong>${describeAudience(site.visibility)}.</strong></p>
<p class="soft">What its spaces contain is open to them, also where the spaces themselves are for members only. <a href="${path('structure')}">See what it shows</a> or <a href="${path('audience')}">change who reads it</a> first.</p>`
}
<form method="post" action="${path(site.published ? 'unpublish' : 'publish')}" class="buttons">
<button type="submit"${site.published ? html` class="danger"` : null}>${site.published ? 'Unpublish' : 'Publish'}</button>
<a href="${path('')}">Cancel</a></form></div>`,
  });
}
