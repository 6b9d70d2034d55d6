import type { OidcProvider } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { renderFacts } from './facts.ts';
import {
  type NewcomerForm,
  type ProviderPage,
  renderProviderPage,
  renderProviderState,
} from './provider-page.ts';
import { nameRole } from './role-words.ts';
import { textInput } from './text-input.ts';

/** What the form of an OpenID Connect provider contains. */
export interface OidcForm extends NewcomerForm {
  readonly label: string;
  readonly issuer: string;
  readonly clientID: string;
  /** A new one; it is never sent back. */
  readonly clientSecret: string;
  readonly removeSecret: boolean;
  /** With spaces between them. */
  readonly scopes: string;
}

/** A provider as its form shows it. */
export function oidcForm(provider: OidcProvider): OidcForm {
  const { label, issuer, clientID, scopes, defaultRole, defaultTeam } = provider;
  return {
    label,
    issuer,
    clientID,
    clientSecret: '',
    removeSecret: false,
    scopes: scopes.join(' '),
    defaultRole: nameRole(defaultRole),
    defaultTeam: defaultTeam?.id ?? '',
  };
}

export function oidcState({ status, issuer, clientID }: OidcProvider): Markup {
  return renderProviderState(status, issuer !== '' && clientID !== '');
}

/** One OpenID Connect provider: what to enter there, what to enter here, a test, and its removal. */
export function renderOidcProvider(page: ProviderPage<OidcProvider, OidcForm>): string {
  const { provider, form } = page;
  const { service } = provider;
  return renderProviderPage(page, {
    kind: 'oidc',
    state: oidcState(provider),
    first: html`<h2>1. Add a client at the provider</h2>
<p>For a web application, with the grant type <em>authorization code</em> and these addresses:</p>
${renderFacts([
  [
    'Redirect URL',
    html`<code class="copy">${service.redirectURL}</code>`,
    'Also called redirect URI, sign-in redirect URI or callback URL.',
  ],
  [
    'Start URL',
    html`<code class="copy">${service.startURL}</code>`,
    'Also called initiate login URI, home URL or home page: for a tile or a bookmark. Sign-ins begin here.',
  ],
])}
<p class="small soft">Let it send the user’s address as the claim <code>email</code> with <code>email_verified</code>, and the name as <code>name</code>. PKCE (S256) is always used and may be required.</p>`,
    vendorNames,
    inputs: (problemOf) => html`${textInput({
      id: 'docloom-issuer',
      name: 'issuer',
      label: 'Issuer',
      type: 'text',
      autocomplete: 'off',
      maxLength: 1024,
      value: form.issuer,
      hint: html`The address that the provider’s <code>/.well-known/openid-configuration</code> names as <code>issuer</code>.${
        provider.issuer === ''
          ? null
          : ' Another one is another provider: it begins anew, its sessions end, and the client secret is forgotten, so enter the new one with it.'
      }`,
      problem: problemOf('issuer'),
    })}
${textInput({
  id: 'docloom-client-id',
  name: 'clientID',
  label: 'Client ID',
  type: 'text',
  autocomplete: 'off',
  maxLength: 512,
  value: form.clientID,
  problem: problemOf('clientID'),
})}
${textInput({
  id: 'docloom-client-secret',
  name: 'clientSecret',
  label: provider.hasClientSecret ? 'New client secret' : 'Client secret',
  type: 'password',
  autocomplete: 'off',
  maxLength: 2048,
  isOptional: true,
  hint: provider.hasClientSecret
    ? 'There is one, which is stored encrypted and never shown. Leave this empty to keep it.'
    : 'Stored encrypted and never shown again. Leave it empty for a public client, which has none.',
  problem: problemOf('clientSecret'),
})}
${provider.hasClientSecret ? removalOfSecret(form) : null}
${textInput({
  id: 'docloom-scopes',
  name: 'scopes',
  label: 'Scopes',
  type: 'text',
  autocomplete: 'off',
  maxLength: 2048,
  isOptional: true,
  value: form.scopes,
  hint: html`With spaces between them; <code>openid</code> is always among them. Empty for <code>openid email profile</code>.`,
  problem: problemOf('scopes'),
})}`,
  });
}

const vendorNames = html`<tr><th scope="row">Redirect URL</th><td>Sign-in redirect URIs</td><td>Redirect URI (Web)</td><td>Authorized redirect URIs</td><td>Valid redirect URIs</td></tr>
<tr><th scope="row">Start URL</th><td>Initiate login URI</td><td>Home page URL</td><td>–</td><td>Home URL</td></tr>
<tr><th scope="row">Issuer</th><td><code>https://&lt;your org&gt;.okta.com</code></td><td><code>https://login.microsoftonline.com/&lt;tenant ID&gt;/v2.0</code></td><td><code>https://accounts.google.com</code></td><td><code>https://&lt;host&gt;/realms/&lt;realm&gt;</code></td></tr>
<tr><th scope="row">Client ID</th><td>Client ID</td><td>Application (client) ID</td><td>Client ID</td><td>Client ID</td></tr>
<tr><th scope="row">Client secret</th><td>Client secret</td><td>Client secret, its value</td><td>Client secret</td><td>Credentials, Client Secret</td></tr>`;

function removalOfSecret({ removeSecret }: OidcForm): Markup {
  return html`<div class="choice"><input type="checkbox" id="docloom-remove-secret" name="removeSecret" value="on"${removeSecret ? html` checked` : null} aria-describedby="docloom-remove-secret-hint">
<div><label for="docloom-remove-secret">Remove the client secret</label>
<p class="hint" id="docloom-remove-secret-hint">For a client that the provider made public: it has none.</p></div></div>`;
}
