import type { OidcProvider } from '../../client/index.ts';
import type { DescribedClaim, DescribedClaims, OidcTest } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { providerPath } from '../addresses.ts';
import { renderTable } from './data-table.ts';
import { renderFacts } from './facts.ts';
import type { ProviderTestPage } from './provider-page.ts';
import { comparedValue, renderProviderTest, sentValue } from './provider-test-view.ts';

/** What came of the last test of an OpenID Connect provider. */
export function renderOidcTest(page: ProviderTestPage<OidcProvider, OidcTest>): string {
  const { organization, provider } = page;
  return renderProviderTest({
    ...page,
    path: providerPath('oidc', organization.id, provider.id),
    silence:
      'If it shows an error, it does not know the redirect URL of this server, or its own client ID is another one.',
    renderAnswer: (answer) => renderAnswer(answer, provider),
  });
}

function renderAnswer(answer: DescribedClaims, { issuer }: OidcProvider): Markup {
  const { error, errorDescription, algorithm, keyId, claims, userinfo } = answer;
  return html`<h2>What the provider sent</h2>
<p class="small soft">Tokens, the client secret, and what belongs to this one request are left out.</p>
${renderFacts([
  ...(answer.issuer === null ? [] : [comparedValue('Issuer', answer.issuer, issuer)]),
  ...(error === null ? [] : [['Its error', sentValue(error), errorDescription ?? undefined] as const]),
  ...(claims === null
    ? []
    : ([
        ['Signature of the ID token', sentValue(algorithm)],
        ['Key of the signature', sentValue(keyId)],
      ] as const)),
])}
${renderClaims('docloom-claims', 'Claims of the ID token', claims ?? [], 'There is no ID token that can be read.')}
${
  userinfo === null
    ? null
    : renderClaims('docloom-userinfo', 'Claims of userinfo', userinfo, 'The answer has no claims.')
}`;
}

function renderClaims(id: string, title: string, claims: readonly DescribedClaim[], empty: string): Markup {
  return renderTable({
    id,
    title,
    columns: ['Name', 'Value'],
    rows: claims.map(
      ({ name, value }) => html`<tr><th scope="row"><code>${name}</code></th><td>${value}</td></tr>
`,
    ),
    empty,
  });
}
