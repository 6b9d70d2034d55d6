import type {
  EmailDomain,
  OidcProvider,
  Organization,
  SamlProvider,
  UnconfirmedAccount,
} from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { providerPath, ssoPath } from '../addresses.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import { oidcState } from './oidc-provider-view.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { samlState } from './saml-provider-view.ts';
import { type Provisioning, renderProvisioning } from './scim-tokens-view.ts';
import { textInput } from './text-input.ts';
import { renderUnconfirmedAccounts } from './unconfirmed-accounts-view.ts';

/** How the members of an organization sign in. */
export function renderSso(
  options: PageNews & {
    readonly organization: Organization;
    readonly samlProviders: readonly SamlProvider[];
    readonly moreSamlProviders: string | null;
    readonly oidcProviders: readonly OidcProvider[];
    readonly moreOidcProviders: string | null;
    readonly domains: readonly EmailDomain[];
    readonly moreDomains: string | null;
    readonly accounts: readonly UnconfirmedAccount[];
    readonly moreAccounts: string | null;
    readonly provisioning: Provisioning;
    readonly user: { readonly displayName: string };
  },
): string {
  const { organization, samlProviders, oidcProviders, domains, moreDomains, provisioning } = options;
  return renderOrganizationPage({
    ...options,
    section: 'sso',
    main: html`<p class="lead">Members sign in at your own identity provider, and it decides who they are.</p>
${renderProviders({
  organization,
  kind: 'oidc',
  title: 'OpenID Connect',
  noun: ['an', 'OpenID Connect provider'],
  providers: oidcProviders,
  more: options.moreOidcProviders,
  stateOf: oidcState,
  example: 'Google',
})}
${renderProviders({
  organization,
  kind: 'saml',
  title: 'SAML 2.0',
  noun: ['a', 'SAML provider'],
  providers: samlProviders,
  more: options.moreSamlProviders,
  stateOf: samlState,
  example: 'Okta',
})}
${renderDomains(organization, domains)}
${renderMore(moreDomains, 'More domains')}
${domainForm(organization)}
${renderUnconfirmedAccounts(organization, options.accounts, options.moreAccounts)}
${renderProvisioning(organization, provisioning)}
${requireForm(organization)}`,
  });
}

/** The providers that speak one protocol, and a form for another one. */
function renderProviders<Provider extends SamlProvider | OidcProvider>({
  organization,
  kind,
  title,
  noun: [article, noun],
  providers,
  more,
  stateOf,
  example,
}: {
  readonly organization: Organization;
  readonly kind: 'saml' | 'oidc';
  readonly title: string;
  /** What one is called, and the article before it. */
  readonly noun: readonly [article: string, noun: string];
  readonly providers: readonly Provider[];
  /** The address of further ones. */
  readonly more: string | null;
  readonly stateOf: (provider: Provider) => Markup;
  readonly example: string;
}): Markup {
  return html`${renderTable({
    id: `docloom-${kind}`,
    title,
    columns: ['Provider', 'State', 'Sign-in address', 'Set up'],
    rows: providers.map(
      (provider) =>
        html`<tr><th scope="row">${provider.label}</th><td>${stateOf(provider)}</td><td><code class="copy">${provider.service.startURL}</code></td><td><a href="${providerPath(kind, organization.id, provider.id)}">Open<span class="visually-hidden"> ${provider.label}</span></a></td></tr>
`,
    ),
    empty: `There is no ${noun} yet.`,
  })}
${renderMore(more, `More ${noun}s`)}
<form method="post" action="${ssoPath(organization.id)}/${kind}" class="card reading after">
<h3>Add ${article} ${noun}</h3>
${textInput({
  id: `docloom-${kind}-label`,
  name: 'label',
  label: `Name of the ${noun}`,
  type: 'text',
  autocomplete: 'off',
  maxLength: 30,
  hint: `Members see it on the sign-in page, for example ${example}.`,
})}
<button type="submit">Add<span class="visually-hidden"> ${article} ${noun}</span></button>
</form>`;
}

function renderDomains(organization: Organization, domains: readonly EmailDomain[]): Markup {
  return renderTable({
    id: 'docloom-domains',
    title: 'E-mail domains',
    columns: ['Domain', 'State', 'Record in the DNS', 'Change'],
    rows: domains.map((domain) => renderDomain(organization, domain)),
    empty:
      'No domain yet. A provider signs people in only with addresses of domains that the organization has proved.',
  });
}

function renderDomain({ id }: Organization, { domain, status, record }: EmailDomain): Markup {
  const button = (action: string, words: string) =>
    html`<form method="post" action="${ssoPath(id)}/domains/${action}"><input type="hidden" name="domain" value="${domain}"><button class="quiet" type="submit">${words}<span class="visually-hidden"> ${domain}</span></button></form>`;
  return html`<tr><th scope="row">${domain}</th><td>${
    status === 'proved'
      ? html`<span class="state good">Proved</span>`
      : html`<span class="state wait">Not proved</span>`
  }</td><td>${record.type} <code class="copy">${record.name}</code><br><code class="copy">${record.value}</code></td><td><div class="buttons">${
    status === 'proved' ? null : button('prove', 'Prove')
  }${button('remove', 'Remove')}</div></td></tr>
`;
}

function domainForm({ id }: Organization): Markup {
  return html`<form method="post" action="${ssoPath(id)}/domains" class="card reading after">
<h3>Add an e-mail domain</h3>
${textInput({
  id: 'docloom-domain',
  name: 'domain',
  label: 'Domain',
  type: 'text',
  autocomplete: 'off',
  maxLength: 253,
  hint: 'Add the TXT record that it gets to the DNS of the domain, wait until it is published, and prove the domain.',
})}
<button type="submit">Add the domain</button>
</form>`;
}

function requireForm({ id, sso }: Organization): Markup {
  return html`<h2 id="docloom-sso">Single sign-on only</h2>
<div class="reading">
<p><span class="state ${sso ? 'good' : ''}">${sso ? 'Required' : 'Not required'}</span></p>
<p>${
    sso
      ? 'Members reach this organization only with a session or token that passed its single sign-on. Turned off, all other ways of signing in count again.'
      : html`Turned on, every other way in ends, with the sessions and tokens that did not pass it. It needs a provider that has signed somebody in, and a way in for you: sign in through the provider first, or make <a href="/account">recovery codes</a>.`
  }</p>
<form method="post" action="${ssoPath(id)}/require">
<input type="hidden" name="sso" value="${sso ? 'off' : 'on'}">
<button type="submit"${sso ? html` class="quiet"` : null}>${sso ? 'Stop requiring it' : 'Require single sign-on'}</button>
</form>
</div>`;
}
