import type { ShareLink } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { sitePath } from '../addresses.ts';
import { formatMoment } from '../format.ts';
import { renderMore } from './more-link.ts';
import type { PageNews } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { audienceOptions, type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { textInput } from './text-input.ts';

/** Who reads a site: its visibility, its share links, and how its visitors sign in. */
export function renderSiteAudience(
  options: ManagedSiteFrame &
    PageNews & {
      readonly links: readonly ShareLink[];
      readonly more: string | null;
      /** The address of a link that was just made, which is shown once. */
      readonly made: string | null;
      readonly fallback: string;
      readonly now: Date;
    },
): string {
  const { organization, site, made, fallback } = options;
  const path = (part: string) => sitePath(organization.id, site.id, part);
  return renderManagedSitePage({
    ...options,
    tab: 'audience',
    main: html`<div class="reading">
${made === null ? null : html`<div class="notice good" role="status"><p><strong>Copy this link now:</strong> it is not shown again.</p><p><code class="copy">${made}</code></p></div>`}
<form class="card" method="post" action="${path('audience')}">
<h3>Readers</h3>
${selectInput({ id: 'docloom-visibility', name: 'visibility', label: 'Who reads it', options: audienceOptions(), selected: site.visibility, hint: site.published ? 'The site is published, so this counts at once.' : 'It counts once the site is published.' })}
<button type="submit">Save</button>
</form>
${renderLinks(options)}
<form class="card" method="post" action="${path('audience/visitors')}">
<h3>Visitors who sign in</h3>
<p class="soft">For <em>signed token</em>: your own sign-in sends visitors to the site with <code>?jwt_token=…</code>, a JWT that it signs (HS256, at most 24 hours) with the key of this site.</p>
${textInput({ id: 'docloom-fallback', name: 'fallback', label: 'Your sign-in page', type: 'text', autocomplete: 'off', maxLength: 2048, value: fallback, isOptional: true, hint: 'Visitors without a valid token are sent there. Without it they see a page that says why.' })}
<button type="submit">Save</button>
</form>
<div class="buttons"><form method="post" action="${path('audience/key')}"><button class="quiet" type="submit">Show the signing key</button></form>
<form method="post" action="${path('audience/rotate')}"><button class="quiet" type="submit">Replace the signing key</button></form></div>
<p class="small soft">A replaced key is accepted for another 24 hours.</p>
</div>`,
  });
}

function renderLinks({
  organization,
  site,
  links,
  more,
  now,
}: Parameters<typeof renderSiteAudience>[0]): Markup {
  const path = (part: string) => sitePath(organization.id, site.id, `audience/links${part}`);
  return html`<section class="card account-part" aria-labelledby="docloom-links"><h3 id="docloom-links">Share links</h3>
${site.visibility === 'share-link' ? null : html`<p class="soft">They open the site only while it is for whoever has a share link.</p>`}
${
  links.length === 0
    ? html`<p class="soft">There is no share link yet.</p>`
    : html`<ul class="plain rows">
${links.map(
  ({ id, name, active, prefix, createdAt }) =>
    html`<li class="card-head"><span><strong>${name === '' ? 'Without a name' : name}</strong> <code>${prefix}…</code>
<span class="small soft">created ${formatMoment(createdAt, now)}${active ? null : ', switched off'}</span></span>
<span class="buttons"><form method="post" action="${path(`/${id}/${active ? 'off' : 'on'}`)}"><button class="quiet" type="submit">Switch ${active ? 'off' : 'on'}<span class="visually-hidden"> ${name}</span></button></form>
<form method="post" action="${path(`/${id}/delete`)}"><button class="quiet" type="submit">Delete<span class="visually-hidden"> ${name}</span></button></form></span></li>
`,
)}</ul>`
}
${renderMore(more, 'More share links')}
<form method="post" action="${path('')}">
${textInput({ id: 'docloom-link', name: 'name', label: 'Name of a new link', type: 'text', autocomplete: 'off', maxLength: 50, hint: 'Says to whom it is given.' })}
<button type="submit">Create a link</button></form>
</section>`;
}

/** The key that signs visitors' tokens, for whoever copies it. */
export function renderSiteKey(options: ManagedSiteFrame & { readonly privateKey: string }): string {
  const { organization, site, privateKey } = options;
  return renderManagedSitePage({
    ...options,
    tab: 'audience',
    main: html`<div class="reading"><div class="card"><h3>The signing key</h3>
<p>Whoever has it can make visitors of this site. Store it where your sign-in reads its secrets.</p>
<p><code class="copy">${privateKey}</code></p>
<p><a href="${sitePath(organization.id, site.id, 'audience')}">Done</a></p></div></div>`,
  });
}
