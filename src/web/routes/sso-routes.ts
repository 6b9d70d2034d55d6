import type { FastifyInstance } from 'fastify';
import { type InputOf, operations, type SamlProvider } from '../../client/index.ts';
import type { SamlSignIn } from '../../identity/index.ts';
import { samlProviderPath, ssoPath } from '../addresses.ts';
import { html } from '../html.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { renderOrganizationPage } from '../views/organization-frame.ts';
import { readRole } from '../views/role-words.ts';
import { type ProviderForm, providerForm, renderSamlProvider } from '../views/saml-provider-view.ts';
import { renderSamlTest } from '../views/saml-test-view.ts';
import { renderSso } from '../views/sso-view.ts';
import { type FormProblem, readFormProblem } from './form-problem.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { loadProvisioning, type RefusedScimToken, registerScimTokens } from './scim-token-routes.ts';
import type { PagesContext } from './signed-in.ts';

const base = '/orgs/:organizationId/sso';
const provider = `${base}/saml/:samlProviderId`;

/** Of providers, domains and teams that a page shows at once. */
const SHOWN = 100;

/** In characters; a certificate has about 1,500. */
const LONGEST_CERTIFICATE = 10_000;

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['sso-on', 'From now on, only single sign-on is taken.'],
  ['sso-off', 'Single sign-on is no longer required.'],
  ['removed', 'The provider was removed, and the sessions that began there were ended.'],
  ['claimed', 'The domain was added. Publish its record, then prove it.'],
  ['proved', 'The domain is proved.'],
  ['revoked', 'The token was revoked.'],
  ['withdrawn', 'The domain was removed.'],
]);

const PROVIDER_NEWS: ReadonlyMap<string, string> = new Map([
  ['added', 'The provider was added. Enter the addresses there, and its values here.'],
  ['saved', 'The values were saved.'],
  ['incomplete', 'Enter the provider’s entity ID, URL and certificate before you test it.'],
]);

/** How the platform's messages call the fields of a provider's form. */
const LABELS = {
  label: 'The name',
  entityID: 'The entity ID',
  ssoURL: 'The single sign-on URL',
  certificate: 'The certificate',
  nextCertificate: 'The next certificate',
  defaultRole: 'The role',
  defaultTeam: 'The team',
};

type Call = InOrganization<unknown>;
type ProviderCall = InOrganization<{ readonly samlProviderId: string }>;

/** `/orgs/<id>/sso`: the providers, the e-mail domains, provisioning, and whether only single sign-on is taken. */
export function registerSso(app: FastifyInstance, context: PagesContext, saml: SamlSignIn): void {
  const form = ownForm(context, 48 * 1024);

  async function show(
    call: Call,
    options: { news?: string | null; problem?: string | null; refusedToken?: RefusedScimToken } = {},
  ): Promise<string> {
    const { client, organization, session, request } = call;
    const { news = null, problem = null, refusedToken = null } = options;
    const params = { organizationId: organization.id };
    const [providers, domains, provisioning] = await Promise.all([
      client.call(operations.listSamlProviders, { params, query: { limit: SHOWN } }),
      client.call(operations.listEmailDomains, { params, query: { limit: SHOWN, ...pageOf(request) } }),
      loadProvisioning(context, call, refusedToken),
    ]);
    return renderSso({
      organization,
      samlProviders: providers.items,
      domains: domains.items,
      moreDomains: nextPage(ssoPath(organization.id), domains.next),
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

  registerForm('require', async ({ client, organization: { id }, request }) => {
    const sso = readText(request.body, 'sso') === 'on';
    await client.call(operations.updateOrganization, { params: { organizationId: id }, body: { sso } });
    return `${ssoPath(id)}?done=${sso ? 'sso-on' : 'sso-off'}`;
  });

  registerForm('saml', async ({ client, organization: { id }, request }) => {
    const label = readText(request.body, 'label').trim();
    if (label === '' || label.length > 30)
      throw new UnusableInput('Enter a name of at most 30 characters for the provider.');
    const params = { organizationId: id };
    const created = await client.call(operations.createSamlProvider, { params, body: { label } });
    return `${samlProviderPath(id, created.id)}?done=added`;
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
  registerProvider(app, context, saml, form);
}

/** The pages of one SAML provider. */
function registerProvider(
  app: FastifyInstance,
  context: PagesContext,
  saml: SamlSignIn,
  form: ReturnType<typeof ownForm>,
): void {
  const load = ({ client, organization, params }: ProviderCall): Promise<SamlProvider> =>
    client.call(operations.getSamlProvider, {
      params: { organizationId: organization.id, samlProviderId: params.samlProviderId },
    });

  async function show(
    call: ProviderCall,
    row: SamlProvider,
    options: {
      readonly form?: ProviderForm;
      readonly problem?: FormProblem;
      readonly news?: string | null;
    } = {},
  ): Promise<string> {
    const { client, organization, session } = call;
    const { items: teams } = await client.call(operations.listTeams, {
      params: { organizationId: organization.id },
      query: { limit: SHOWN },
    });
    return renderSamlProvider({
      organization,
      provider: row,
      teams,
      form: options.form ?? providerForm(row),
      problem: options.problem ?? null,
      news: options.news ?? null,
      user: session,
    });
  }

  app.get(
    provider,
    inOrganization<{ samlProviderId: string }>(context, 'sso', async (call) =>
      show(call, await load(call), {
        news: PROVIDER_NEWS.get(readText(call.request.query, 'done')) ?? null,
      }),
    ),
  );

  app.post(
    provider,
    form,
    inOrganization<{ samlProviderId: string }>(context, 'sso', async (call) => {
      const { client, organization, request, reply, params } = call;
      const row = await load(call);
      const entered = readProviderForm(request.body);
      try {
        await client.call(operations.updateSamlProvider, {
          params: { organizationId: organization.id, samlProviderId: params.samlProviderId },
          body: toBody(entered, row),
        });
      } catch (error) {
        const problem = readFormProblem(error, LABELS);
        return reply.code(problem.status).send(await show(call, row, { form: entered, problem }));
      }
      return reply.redirect(`${samlProviderPath(organization.id, row.id)}?done=saved`, 303);
    }),
  );

  const showRemoval = async (call: ProviderCall, problem: string | null) => {
    const { label, id } = await load(call);
    const { organization, session } = call;
    return renderOrganizationPage({
      organization,
      section: 'sso',
      title: `Remove ${label}`,
      user: session,
      problem,
      main: renderConfirmation({
        sentence: html`Nobody signs in through ${label} any more, and the sessions that began there end. Accounts stay; who they are at ${label} is forgotten.`,
        action: `${samlProviderPath(organization.id, id)}/remove`,
        button: 'Remove',
        back: samlProviderPath(organization.id, id),
      }),
    });
  };
  app.get(
    `${provider}/remove`,
    inOrganization<{ samlProviderId: string }>(context, 'sso', (call) => showRemoval(call, null)),
  );
  app.post(
    `${provider}/remove`,
    form,
    inOrganization<{ samlProviderId: string }>(context, 'sso', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, params, reply } = call;
          await client.call(operations.deleteSamlProvider, {
            params: { organizationId: organization.id, samlProviderId: params.samlProviderId },
          });
          return reply.redirect(`${ssoPath(organization.id)}?done=removed`, 303);
        },
        (problem) => showRemoval(call, problem),
      ),
    ),
  );

  app.get(
    `${provider}/test`,
    inOrganization<{ samlProviderId: string }>(context, 'sso', async (call) => {
      const { organization, session, reply } = call;
      const row = await load(call);
      const { userId } = session;
      // What a provider sent is about people.
      reply.header('cache-control', 'no-store');
      return renderSamlTest({
        organization,
        provider: row,
        test: userId === null ? null : await saml.readTest({ providerId: row.id, userId }),
        now: context.now(),
        user: session,
      });
    }),
  );
}

function readProviderForm(body: unknown): ProviderForm {
  return {
    label: readText(body, 'label'),
    entityID: readText(body, 'entityID', 1024),
    ssoURL: readText(body, 'ssoURL', 2048),
    certificate: readText(body, 'certificate', LONGEST_CERTIFICATE),
    nextCertificate: readText(body, 'nextCertificate', LONGEST_CERTIFICATE),
    defaultRole: readText(body, 'defaultRole'),
    defaultTeam: readText(body, 'defaultTeam'),
  };
}

/** Only what was changed: an empty URL is none, and would be refused. */
function toBody(
  form: ProviderForm,
  row: SamlProvider,
): InputOf<typeof operations.updateSamlProvider>['body'] {
  const before = providerForm(row);
  const isChanged = (name: keyof ProviderForm) => form[name].trim() !== before[name].trim();
  const role = readRole(form.defaultRole);
  return {
    ...(isChanged('label') && { label: form.label }),
    ...(isChanged('entityID') && { entityID: form.entityID.trim() }),
    ...(isChanged('ssoURL') && { ssoURL: form.ssoURL.trim() }),
    ...(isChanged('certificate') && { certificate: form.certificate }),
    ...(isChanged('nextCertificate') && {
      nextCertificate: form.nextCertificate.trim() === '' ? null : form.nextCertificate,
    }),
    ...(role !== undefined && isChanged('defaultRole') && { defaultRole: role }),
    ...(isChanged('defaultTeam') && { defaultTeam: form.defaultTeam === '' ? null : form.defaultTeam }),
  };
}
