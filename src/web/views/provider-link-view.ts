import type { ProviderLinks } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { accountPath, providerLinkPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';

type LinkableProviders = Awaited<ReturnType<ProviderLinks['list']>>;

/** The providers at which a person may have an account; null where there are none. */
export function renderProviderLinks(providers: LinkableProviders): Markup | null {
  if (providers.length === 0) return null;
  return html`<section class="card account-part" aria-labelledby="docloom-sso">
<h2 id="docloom-sso">Single sign-on</h2>
<ul class="plain rows">
${providers.map(({ id, kind, label, account }) =>
  account === null
    ? html`<li><p>Link your account at <strong>${label}</strong> to sign in there.</p>
<p><a class="button quiet" href="${providerLinkPath(kind)}/${encodeURIComponent(id)}/start">Link single sign-on <span class="visually-hidden">with ${label}</span></a></p></li>`
    : html`<li><p>Linked to <strong>${account}</strong> at ${label}: you sign in there.</p></li>`,
)}
</ul>
</section>`;
}

/** Whom a provider named, before the account is linked. */
export function renderProviderLink(options: {
  readonly label: string;
  readonly account: string;
  readonly providerId: string;
  readonly user: { readonly displayName: string };
}): string {
  const { label, account, providerId, user } = options;
  return renderLayout({
    title: 'Link single sign-on',
    user,
    main: html`<div class="reading">
<h1>Link single sign-on</h1>
<p class="lead">${label} knows you as <strong>${account}</strong>. Link this to your account, ${user.displayName}? You can sign in at ${label} with it from then on.</p>
<form method="post" action="${providerLinkPath(providerId)}" class="buttons">
<button type="submit">Link it</button>
<a href="${accountPath}">Cancel</a>
</form>
</div>`,
  });
}
