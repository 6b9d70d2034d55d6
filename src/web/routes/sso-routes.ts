import type { FastifyInstance } from 'fastify';
import { operations } from '../../client/index.ts';
import type { OidcSignIn, SamlSignIn } from '../../identity/index.ts';
import { ssoPath } from '../addresses.ts';
import { renderSso } from '../views/sso-view.ts';
import { renderAccountRelease } from '../views/unconfirmed-accounts-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { oidcProtocol } from './oidc-protocol.ts';
import { ownForm } from './own-forms.ts';
import { registerProvider } from './provider-pages.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';
import { samlProtocol } from './saml-protocol.ts';
import { loadProvisioning, type RefusedScimToken, registerScimTokens } from './scim-token-routes.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';

const base = '/orgs/:organizationId/sso';

/** Of providers and domains that the page shows at once. */
const SHOWN = 100;

/** Accounts among which the one that is asked about is found. */
const MOST_ACCOUNTS = 1000;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['sso-on', 'From now on, only single sign-on is taken.'],
  ['sso-off', 'Single sign-on is no longer required.'],
  ['removed', 'The provider was removed, and the sessions that began there were ended.'],
  ['claimed', 'The domain was added. Publish its record, then prove it.'],
  ['proved', 'The domain is proved.'],
  ['revoked', 'The token was revoked.'],
  ['released', 'All ways into the account were ended: who signs in with its address has it.'],
  ['withdrawn', 'The domain was removed.'],
]);

type Call = InOrganization<unknown>;

/** `/orgs/<id>/sso`: the providers, the e-mail domains, provisioning, and whether only single sign-on is taken. */
export function registerSso(
  app: FastifyInstance,
  context: PagesContext,
  { saml, oidc }: { readonly saml: SamlSignIn; readonly oidc: OidcSignIn },
): void {
  const form = ownForm(context, 48 * 1024);

  async function show(
    call: Call,
    options: { news?: string | null; problem?: string | null; refusedToken?: RefusedScimToken } = {},
  ): Promise<string> {
    const { client, organization, session, request } = call;
    const { news = null, problem = null, refusedToken = null } = options;
    const params = { organizationId: organization.id };
    const [samlProviders, oidcProviders, domains, accounts, provisioning] = await Promise.all([
      client.call(operations.listSamlProviders, {
        params,
        query: { limit: SHOWN, ...pageOf(request, 'saml') },
      }),
      client.call(operations.listOidcProviders, {
        params,
        query: { limit: SHOWN, ...pageOf(request, 'oidc') },
      }),
      client.call(operations.listEmailDomains, { params, query: { limit: SHOWN, ...pageOf(request) } }),
      client.call(operations.listUnconfirmedAccounts, {
        params,
        query: { limit: SHOWN, ...pageOf(request, 'accounts') },
      }),
      loadProvisioning(context, call, refusedToken),
    ]);
    return renderSso({
      organization,
      samlProviders: samlProviders.items,
      moreSamlProviders: nextPage(ssoPath(organization.id), samlProviders.next, {}, 'saml'),
      oidcProviders: oidcProviders.items,
      moreOidcProviders: nextPage(ssoPath(organization.id), oidcProviders.next, {}, 'oidc'),
      domains: domains.items,
      moreDomains: nextPage(ssoPath(organization.id), domains.next),
      accounts: accounts.items,
      moreAccounts: nextPage(ssoPath(organization.id), accounts.next, {}, 'accounts'),
      provisioning,
      user: session,
      news,
      problem: refusedToken?.problem.field === null ? refusedToken.problem.sentence : problem,
    });
  }

  /** A form of the page; what is wrong with it is shown above the page. */
  function registerForm(path: string, act: (call: Call) => Promise<string>): void {
    app.post(
      `${base}/${path}`,
      form,
      inOrganization(context, 'sso', (call) =>
        submit(
          call.reply,
          async () => call.reply.redirect(await act(call), 303),
          (problem) => show(call, { problem }),
        ),
      ),
    );
  }

  app.get(
    base,
    inOrganization(context, 'sso', (call) =>
      show(call, { news: NEWS.get(readText(call.request.query, 'done')) ?? null }),
    ),
  );

  app.get(
    `${base}/accounts/:userId`,
    inOrganization<{ readonly userId: string }>(context, 'sso', async (call) => {
      const { client, organization, params, session, reply } = call;
      const { items } = await client.call(operations.listUnconfirmedAccounts, {
        params: { organizationId: organization.id },
        query: { limit: MOST_ACCOUNTS },
      });
      const account = items.find(({ id }) => id === params.userId);
      return account === undefined
        ? reply.code(404).send(renderNotFound(session))
        : renderAccountRelease({ organization, account, user: session });
    }),
  );
  registerForm('accounts/release', async ({ client, organization: { id }, request }) => {
    const params = { organizationId: id, userId: readId(request.body, 'id') };
    await client.call(operations.releaseUnconfirmedAccount, { params });
    return `${ssoPath(id)}?done=released`;
  });

  registerForm('require', async ({ client, organization: { id }, request }) => {
    const sso = readText(request.body, 'sso') === 'on';
    await client.call(operations.updateOrganization, { params: { organizationId: id }, body: { sso } });
    return `${ssoPath(id)}?done=${sso ? 'sso-on' : 'sso-off'}`;
  });

  const domainParams = ({ organization, request }: Call) => {
    const emailDomain = readText(request.body, 'domain').trim().toLowerCase();
    if (!/^[a-z0-9][a-z0-9.-]*$/.test(emailDomain))
      throw new UnusableInput('Enter a domain, such as example.com.');
    return { organizationId: organization.id, emailDomain };
  };
  registerForm('domains', async (call) => {
    await call.client.call(operations.claimEmailDomain, { params: domainParams(call) });
    return `${ssoPath(call.organization.id)}?done=claimed`;
  });
  registerForm('domains/prove', async (call) => {
    await call.client.call(operations.proveEmailDomain, { params: domainParams(call) });
    return `${ssoPath(call.organization.id)}?done=proved`;
  });
  registerForm('domains/remove', async (call) => {
    await call.client.call(operations.deleteEmailDomain, { params: domainParams(call) });
    return `${ssoPath(call.organization.id)}?done=withdrawn`;
  });

  registerScimTokens(app, context, (call, refusedToken) => show(call, { refusedToken }));
  const showProblem = (call: Call, problem: string) => show(call, { problem });
  registerProvider(app, context, form, samlProtocol(saml), showProblem);
  registerProvider(app, context, form, oidcProtocol(oidc), showProblem);
}
