import type { FastifyInstance } from 'fastify';
import { operations, type PlatformClient, type Team } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { providerPath, ssoPath } from '../addresses.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { renderOrganizationPage } from '../views/organization-frame.ts';
import type { ProviderPage, ProviderTestPage } from '../views/provider-page.ts';
import { type FormProblem, readFormProblem } from './form-problem.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import type { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

/** Teams that are a choice. */
const SHOWN = 100;

/** Names a provider. */
export interface ProviderParams {
  readonly organizationId: string;
  readonly providerId: string;
}

/**
 * What the pages of a provider differ in between the protocols.
 *
 * @template Provider as the platform shows it
 * @template Form what its form contains
 * @template Test what a test of it showed
 */
export interface ProviderProtocol<Provider, Form, Test> {
  readonly kind: 'saml' | 'oidc';
  /** What was done, by the value of `done` in the address. */
  readonly news: ReadonlyMap<string, string>;
  /** How the platform's messages call the fields of the form. */
  readonly labels: Readonly<Record<string, string>>;
  create(client: PlatformClient, organizationId: string, label: string): Promise<Provider>;
  load(client: PlatformClient, params: ProviderParams): Promise<Provider>;
  formOf(provider: Provider): Form;
  readForm(body: unknown): Form;
  /** What is wrong with a form that the platform would not know of. */
  findProblem?(form: Form): FormProblem | null;
  /** Saves what was changed. */
  save(client: PlatformClient, params: ProviderParams, form: Form, before: Provider): Promise<unknown>;
  remove(client: PlatformClient, params: ProviderParams): Promise<unknown>;
  readTest(test: { readonly providerId: string; readonly userId: string }): Promise<Test | null>;
  render(page: ProviderPage<Provider, Form>): string;
  renderTest(page: ProviderTestPage<Provider, Test>): string;
}

type Call = InOrganization<{ readonly providerId: string }>;

/** Adds a provider, and has the pages of one: its values, its removal, and what its last test showed. */
export function registerProvider<
  Provider extends { readonly id: string; readonly label: string },
  Form,
  Test,
>(
  app: FastifyInstance,
  context: PagesContext,
  form: ReturnType<typeof ownForm>,
  protocol: ProviderProtocol<Provider, Form, Test>,
  showAll: (call: InOrganization<unknown>, problem: string) => Promise<string>,
): void {
  const { kind } = protocol;
  const base = `/orgs/:organizationId/sso/${kind}`;
  const one = `${base}/:providerId`;
  const pathOf = ({ organization }: InOrganization<unknown>, { id }: { readonly id: string }) =>
    providerPath(kind, organization.id, id);
  const paramsOf = ({ organization, params }: Call): ProviderParams => ({
    organizationId: organization.id,
    providerId: params.providerId,
  });
  const load = (call: Call) => protocol.load(call.client, paramsOf(call));

  async function show(
    call: Call,
    provider: Provider,
    options: {
      readonly form?: Form;
      readonly problem?: FormProblem;
      readonly news?: string | null;
    } = {},
  ): Promise<string> {
    const { client, organization, session } = call;
    return protocol.render({
      organization,
      provider,
      teams: await loadTeams(client, organization.id),
      form: options.form ?? protocol.formOf(provider),
      problem: options.problem ?? null,
      news: options.news ?? null,
      user: session,
    });
  }

  app.post(
    base,
    form,
    inOrganization(context, 'sso', (call) =>
      submit(
        call.reply,
        async () => {
          const label = readText(call.request.body, 'label').trim();
          if (label === '' || label.length > 30)
            throw new UnusableInput('Enter a name of at most 30 characters for the provider.');
          const created = await protocol.create(call.client, call.organization.id, label);
          return call.reply.redirect(`${pathOf(call, created)}?done=added`, 303);
        },
        (problem) => showAll(call, problem),
      ),
    ),
  );

  app.get(
    one,
    inOrganization<{ providerId: string }>(context, 'sso', async (call) =>
      show(call, await load(call), {
        news: protocol.news.get(readText(call.request.query, 'done')) ?? null,
      }),
    ),
  );

  app.post(
    one,
    form,
    inOrganization<{ providerId: string }>(context, 'sso', async (call) => {
      const { client, request, reply } = call;
      const provider = await load(call);
      const entered = protocol.readForm(request.body);
      const refuse = async (problem: FormProblem) =>
        reply.code(problem.status).send(await show(call, provider, { form: entered, problem }));
      const unusable = protocol.findProblem?.(entered) ?? null;
      if (unusable !== null) return await refuse(unusable);
      try {
        await protocol.save(client, paramsOf(call), entered, provider);
      } catch (error) {
        return await refuse(readFormProblem(error, protocol.labels));
      }
      return reply.redirect(`${pathOf(call, provider)}?done=saved`, 303);
    }),
  );

  const showRemoval = async (call: Call, problem: string | null) => {
    const provider = await load(call);
    const { label } = provider;
    const path = pathOf(call, provider);
    return renderOrganizationPage({
      organization: call.organization,
      section: 'sso',
      title: `Remove ${label}`,
      user: call.session,
      problem,
      main: renderConfirmation({
        sentence: html`Nobody signs in through ${label} any more, and the sessions that began there end. Accounts stay; who they are at ${label} is forgotten.`,
        action: `${path}/remove`,
        button: 'Remove',
        back: path,
      }),
    });
  };
  app.get(
    `${one}/remove`,
    inOrganization<{ providerId: string }>(context, 'sso', (call) => showRemoval(call, null)),
  );
  app.post(
    `${one}/remove`,
    form,
    inOrganization<{ providerId: string }>(context, 'sso', (call) =>
      submit(
        call.reply,
        async () => {
          await protocol.remove(call.client, paramsOf(call));
          return call.reply.redirect(`${ssoPath(call.organization.id)}?done=removed`, 303);
        },
        (problem) => showRemoval(call, problem),
      ),
    ),
  );

  app.get(
    `${one}/test`,
    inOrganization<{ providerId: string }>(context, 'sso', async (call) => {
      const { organization, session, reply } = call;
      const provider = await load(call);
      const { userId } = session;
      // What a provider sent is about people.
      reply.header('cache-control', 'no-store');
      return protocol.renderTest({
        organization,
        provider,
        test: userId === null ? null : await protocol.readTest({ providerId: provider.id, userId }),
        now: context.now(),
        user: session,
      });
    }),
  );
}

async function loadTeams(client: PlatformClient, organizationId: string): Promise<readonly Team[]> {
  const { items } = await client.call(operations.listTeams, {
    params: { organizationId },
    query: { limit: SHOWN },
  });
  return items;
}
