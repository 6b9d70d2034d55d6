import type { Organization, SamlProvider } from '../../client/index.ts';
import type { DescribedAnswer, DescribedSignature, SamlTest, TestOutcome } from '../../identity/index.ts';
import { samlProviderPath } from '../addresses.ts';
import { formatMoment } from '../format.ts';
import { type HtmlValue, html, type Markup } from '../html.ts';
import { renderTable } from './data-table.ts';
import { renderFacts } from './facts.ts';
import { renderOrganizationPage } from './organization-frame.ts';

/** What came of the last test of a provider. */
export function renderSamlTest(options: {
  readonly organization: Organization;
  readonly provider: SamlProvider;
  /** Null when this user began none within the last hour. */
  readonly test: SamlTest | null;
  readonly now: Date;
  readonly user: { readonly displayName: string };
}): string {
  const { organization, provider, test, now, user } = options;
  const path = samlProviderPath(organization.id, provider.id);
  return renderOrganizationPage({
    organization,
    section: 'sso',
    title: `Test of ${provider.label}`,
    user,
    main: html`${renderState(test, provider, now)}
<p class="buttons"><a class="button" href="${path}/test/start">${test === null ? 'Test' : 'Test again'}</a><a href="${path}">Back to ${provider.label}</a></p>
${test?.outcome?.answer ? renderAnswer(test.outcome.answer, provider) : null}`,
  });
}

function renderState(test: SamlTest | null, provider: SamlProvider, now: Date): Markup {
  if (test === null)
    return html`<p class="lead">You began no test of ${provider.label} within the last hour.</p>`;
  if (test.outcome === null)
    return html`<div class="notice wait reading" role="status"><p><strong>${provider.label} has not answered</strong> the test that you began ${formatMoment(test.startedAt.toISOString(), now)}.</p>
<p>If it shows an error, it does not know the entity ID of this server, or its own single sign-on URL is another one. Reload this page when it has answered.</p></div>`;
  return renderOutcome(test.outcome, provider, now);
}

function renderOutcome(
  { answeredAt, refusal, user, answer }: TestOutcome<DescribedAnswer>,
  provider: SamlProvider,
  now: Date,
): Markup {
  const at = html`<p class="small soft">Answered ${formatMoment(answeredAt, now)}; shown for an hour, to you alone. Nobody was signed in.</p>`;
  if (refusal !== null)
    return html`<div class="notice bad reading" role="alert"><p><strong>Refused.</strong> ${refusal.sentence}</p>
${refusal.advice === null ? null : html`<p>${refusal.advice}</p>`}
${refusal.reason === 'signature-invalid' && answer !== null ? renderWrongCertificate(answer) : null}
<p class="small">Reason: <code>${refusal.reason}</code></p></div>
${at}`;
  return html`<div class="notice good reading" role="status"><p><strong>It works.</strong> ${
    user === null
      ? `${provider.label} would sign this person in.`
      : html`${user.displayName}${user.email === null ? null : ` (${user.email})`} would be signed in ${user.isNew ? 'as a new user, ' : null}${user.role === null ? 'as a guest' : `with the role ${user.role}`}.`
  }</p></div>
${at}`;
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
  ['Status', orNothing(answer.status)],
  compared('Issuer', answer.issuer, entityID),
  ['NameID', orNothing(answer.nameId)],
  ['Format of the NameID', orNothing(answer.nameIdFormat)],
  compared('Destination', answer.destination, service.acsURL),
  compared('Recipient', answer.recipient, service.acsURL),
  answer.audiences.includes(service.entityID)
    ? ['Audience', orNothing(answer.audiences.join(', '))]
    : compared('Audience', answer.audiences.join(', '), service.entityID),
  ['In response to', orNothing(answer.inResponseTo)],
  ['Issued', orNothing(answer.issuedAt)],
  ['Valid from', orNothing(answer.notBefore)],
  ['Valid until', orNothing(answer.notOnOrAfter)],
  ['Signed in there', orNothing(answer.authenticatedAt)],
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

/** What was sent, and below it what should have been, where that is something else. */
function compared(name: string, sent: string | null, expected: string): [string, HtmlValue, string?] {
  return sent === expected ? [name, orNothing(sent)] : [name, orNothing(sent), `It should be ${expected}`];
}

function orNothing(text: string | null): HtmlValue {
  return text === null || text === '' ? html`<span class="soft">nothing</span>` : html`<code>${text}</code>`;
}
