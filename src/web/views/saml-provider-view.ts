import type { SamlProvider } from '../../client/index.ts';
import { certificateFingerprint } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { renderFacts } from './facts.ts';
import {
  type NewcomerForm,
  type ProviderPage,
  renderProviderPage,
  renderProviderState,
} from './provider-page.ts';
import { nameRole } from './role-words.ts';
import { textArea } from './text-area.ts';
import { textInput } from './text-input.ts';

/** What the form of a SAML provider contains. */
export interface SamlForm extends NewcomerForm {
  readonly label: string;
  readonly entityID: string;
  readonly ssoURL: string;
  readonly certificate: string;
  readonly nextCertificate: string;
}

/** What the platform returns while nobody has entered an address. */
const NO_URL = 'about:blank';

/** A provider as its form shows it. */
export function samlForm(provider: SamlProvider): SamlForm {
  const { label, entityID, ssoURL, certificate, nextCertificate = '', defaultRole, defaultTeam } = provider;
  return {
    label,
    entityID,
    ssoURL: ssoURL === NO_URL ? '' : ssoURL,
    certificate,
    nextCertificate,
    defaultRole: nameRole(defaultRole),
    defaultTeam: defaultTeam?.id ?? '',
  };
}

/** One SAML provider: what to enter there, what to enter here, a test, and its removal. */
export function renderSamlProvider(page: ProviderPage<SamlProvider, SamlForm>): string {
  const { provider, form } = page;
  const { service } = provider;
  return renderProviderPage(page, {
    kind: 'saml',
    state: samlState(provider),
    first: html`<h2>1. Enter these at the provider</h2>
${renderFacts([
  [
    'ACS URL',
    html`<code class="copy">${service.acsURL}</code>`,
    'Also called reply URL, recipient or destination; binding HTTP-POST.',
  ],
  [
    'Entity ID',
    html`<code class="copy">${service.entityID}</code>`,
    'Also called audience, identifier or SP entity ID.',
  ],
  [
    'Start URL',
    html`<code class="copy">${service.startURL}</code>`,
    'Also called sign-on URL: for a tile or a bookmark. Sign-ins begin here.',
  ],
])}
<p><a class="button quiet" href="${new URL(service.entityID).pathname}">Download the metadata</a></p>
<p class="small soft">Let it send the user’s address as the attribute <code>email</code> and the name as <code>displayName</code>, with a NameID that stays the same (<code>persistent</code> or <code>emailAddress</code>).</p>`,
    vendorNames,
    inputs: (problemOf) => html`${textInput({
      id: 'docloom-entity-id',
      name: 'entityID',
      label: 'Entity ID of the provider',
      type: 'text',
      autocomplete: 'off',
      maxLength: 1024,
      value: form.entityID,
      hint: 'Also called issuer. Another one is another provider: it begins anew, and its sessions end.',
      problem: problemOf('entityID'),
    })}
${textInput({
  id: 'docloom-sso-url',
  name: 'ssoURL',
  label: 'Single sign-on URL',
  type: 'text',
  autocomplete: 'off',
  maxLength: 2048,
  value: form.ssoURL,
  hint: 'Also called login URL; binding HTTP-Redirect.',
  problem: problemOf('ssoURL'),
})}
${textArea({
  id: 'docloom-certificate',
  name: 'certificate',
  label: 'Certificate',
  rows: 6,
  isRequired: true,
  maxLength: 10_000,
  value: form.certificate,
  hint: html`X.509, in PEM or base64, with an RSA key of 2048 bits or more.${fingerprint(provider.certificate)}`,
  problem: problemOf('certificate'),
})}
${textArea({
  id: 'docloom-next-certificate',
  name: 'nextCertificate',
  label: 'Next certificate',
  rows: 3,
  isRequired: false,
  maxLength: 10_000,
  value: form.nextCertificate,
  hint: html`While the provider exchanges its certificate, both may sign; otherwise empty.${fingerprint(provider.nextCertificate ?? '')}`,
  problem: problemOf('nextCertificate'),
})}`,
  });
}

export function samlState({ status, entityID, certificate }: SamlProvider): Markup {
  return renderProviderState(status, entityID !== '' && certificate !== '');
}

const vendorNames = html`<tr><th scope="row">ACS URL</th><td>Single sign-on URL</td><td>Reply URL (Assertion Consumer Service URL)</td><td>ACS URL</td><td>Valid redirect URIs</td></tr>
<tr><th scope="row">Entity ID</th><td>Audience URI (SP Entity ID)</td><td>Identifier (Entity ID)</td><td>Entity ID</td><td>Client ID</td></tr>
<tr><th scope="row">Start URL</th><td>–</td><td>Sign on URL</td><td>–</td><td>Home URL</td></tr>
<tr><th scope="row">Entity ID of the provider</th><td>Issuer</td><td>Microsoft Entra Identifier</td><td>Entity ID</td><td>the address of the realm</td></tr>
<tr><th scope="row">Single sign-on URL</th><td>Sign on URL</td><td>Login URL</td><td>SSO URL</td><td>the same with /protocol/saml</td></tr>
<tr><th scope="row">Certificate</th><td>Signing Certificate</td><td>Certificate (Base64)</td><td>Certificate</td><td>Realm settings, Keys, RS256</td></tr>`;

function fingerprint(certificate: string): Markup | null {
  return certificate === '' ? null : html` SHA-256: <code>${certificateFingerprint(certificate)}</code>`;
}
