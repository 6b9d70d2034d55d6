import type { SamlProvider } from '../../client/index.ts';
import type { DescribedAnswer, DescribedSignature, SamlTest } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { providerPath } from '../addresses.ts';
import { renderTable } from './data-table.ts';
import { renderFacts } from './facts.ts';
import type { ProviderTestPage } from './provider-page.ts';
import { comparedValue, renderProviderTest, sentValue } from './provider-test-view.ts';

/** What came of the last test of a SAML provider. */
export function renderSamlTest(page: ProviderTestPage<SamlProvider, SamlTest>): string {
  const { organization, provider } = page;
  return renderProviderTest({
    ...page,
    path: providerPath('saml', organization.id, provider.id),
    silence:
      'If it shows an error, it does not know the entity ID of this server, or its own single sign-on URL is another one.',
    renderCause: ({ refusal, answer }) =>
      refusal?.reason === 'signature-invalid' && answer !== null ? renderWrongCertificate(answer) : null,
    renderAnswer: (answer) => renderAnswer(answer, provider),
  });
}

function renderWrongCertificate({ signatures }: DescribedAnswer): Markup | null {
  const unknown = signatures.find(({ fingerprint, isKnown }) => fingerprint !== null && !isKnown);
  return unknown === undefined
    ? null
    : html`<p>The answer came with a certificate that is not entered here: <code>${unknown.fingerprint}</code></p>`;
}

function renderAnswer(answer: DescribedAnswer, { entityID, service }: SamlProvider): Markup {
  return html`<h2>What the provider sent</h2>
${renderFacts([
  ['Status', sentValue(answer.status)],
  comparedValue('Issuer', answer.issuer, entityID),
  ['NameID', sentValue(answer.nameId)],
  ['Format of the NameID', sentValue(answer.nameIdFormat)],
  comparedValue('Destination', answer.destination, service.acsURL),
  comparedValue('Recipient', answer.recipient, service.acsURL),
  answer.audiences.includes(service.entityID)
    ? ['Audience', sentValue(answer.audiences.join(', '))]
    : comparedValue('Audience', answer.audiences.join(', '), service.entityID),
  ['In response to', sentValue(answer.inResponseTo)],
  ['Issued', sentValue(answer.issuedAt)],
  ['Valid from', sentValue(answer.notBefore)],
  ['Valid until', sentValue(answer.notOnOrAfter)],
  ['Signed in there', sentValue(answer.authenticatedAt)],
])}
${renderTable({
  id: 'docloom-attributes',
  title: 'Attributes',
  columns: ['Name', 'Values'],
  rows: answer.attributes.map(
    ({ name, values }) => html`<tr><th scope="row"><code>${name}</code></th><td>${values.join(', ')}</td></tr>
`,
  ),
  empty: 'The answer has no attributes.',
})}
${renderTable({
  id: 'docloom-signatures',
  title: 'Signatures',
  columns: ['Signs', 'Algorithm', 'Digest', 'Certificate that came along (SHA-256)'],
  rows: answer.signatures.map(renderSignature),
  empty: 'Nothing in the answer is signed.',
})}`;
}

function renderSignature({ of, method, digest, fingerprint, isKnown }: DescribedSignature): Markup {
  return html`<tr><th scope="row">${of}</th><td>${method}</td><td>${digest}</td><td>${
    fingerprint === null
      ? html`<span class="soft">none</span>`
      : html`<code>${fingerprint}</code><br><span class="state ${isKnown ? 'good' : 'bad'}">${isKnown ? 'Entered here' : 'Not entered here'}</span>`
  }</td></tr>
`;
}
