import type { FastifyInstance } from 'fastify';
import { type MemberToken, type Organization, operations, type PlatformClient } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { scimTokensPath, ssoPath } from '../addresses.ts';
import { renderConfirmation } from '../views/confirm-view.ts';
import { renderOrganizationPage } from '../views/organization-frame.ts';
import {
  EMPTY_SCIM_TOKEN_FORM,
  type Provisioning,
  renderNewScimToken,
  type ScimTokenForm,
} from '../views/scim-tokens-view.ts';
import { type FormProblem, readFormProblem } from './form-problem.ts';
import { type InOrganization, inOrganization, submit } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { secretForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound } from './signed-in.ts';
import { expiryAfter } from './token-expiry.ts';

const base = '/orgs/:organizationId/sso/scim';
const one = `${base}/:tokenId/revoke`;

const SHOWN = 50;

/** How the platform's messages call the fields of the form. */
const LABELS = { name: 'The name of the token', expiresAt: 'The expiry' };

type Call = InOrganization<unknown>;
type TokenCall = InOrganization<{ readonly tokenId: string }>;

/** A form for a token that was refused. */
export interface RefusedScimToken {
  readonly form: ScimTokenForm;
  readonly problem: FormProblem;
}

/** What the page about single sign-on shows of provisioning. */
export async function loadProvisioning(
  context: PagesContext,
  { client, organization, request }: Call,
  refused: RefusedScimToken | null,
): Promise<Provisioning> {
  const { items, next } = await client.call(operations.listOrganizationTokens, {
    params: { organizationId: organization.id },
    query: { scope: 'scim', limit: SHOWN, ...pageOf(request, 'tokens') },
  });
  const more = nextPage(ssoPath(organization.id), next, {}, 'tokens');
  return {
    baseURL: baseURL(context, organization),
    tokens: items,
    moreTokens: more && `${more}#docloom-scim`,
    form: refused?.form ?? EMPTY_SCIM_TOKEN_FORM,
    problem: refused?.problem ?? null,
    now: context.now(),
  };
}

function baseURL({ publicUrl }: PagesContext, { id }: Organization): string {
  return `${publicUrl}/scim/v2/${id}`;
}

/**
 * Making and revoking the tokens with which an identity provider keeps users and teams up to date. `showRefused` is the page
 * with the form.
 */
export function registerScimTokens(
  app: FastifyInstance,
  context: PagesContext,
  showRefused: (call: Call, refused: RefusedScimToken) => Promise<string>,
): void {
  // The answer has a secret next to what the sender chose.
  const form = secretForm(context);

  app.post(
    base,
    form,
    inOrganization(context, 'sso', async (call) => {
      const { client, organization, session, request, reply } = call;
      reply.header('cache-control', 'no-store');
      const entered: ScimTokenForm = {
        name: readText(request.body, 'name'),
        days: readText(request.body, 'days'),
      };
      const expiresAt = expiryAfter(entered.days, context.now());
      try {
        const token = await client.call(operations.createProvisioningToken, {
          params: { organizationId: organization.id },
          body: { name: entered.name, expiresAt },
        });
        return renderNewScimToken({
          organization,
          token,
          baseURL: baseURL(context, organization),
          now: context.now(),
          user: session,
        });
      } catch (error) {
        const problem = readFormProblem(error, LABELS);
        return reply.code(problem.status).send(await showRefused(call, { form: entered, problem }));
      }
    }),
  );

  const showRevocation = (
    { organization, session }: TokenCall,
    { id, name }: MemberToken,
    problem: string | null,
  ) =>
    renderOrganizationPage({
      organization,
      section: 'sso',
      title: `Revoke ${name}`,
      user: session,
      problem,
      main: renderConfirmation({
        sentence: html`The provider that has the token ${name} provisions nobody any more, from its next request on. Users and teams stay as they are.`,
        action: `${scimTokensPath(organization.id, id)}/revoke`,
        button: 'Revoke',
        back: ssoPath(organization.id),
      }),
    });

  /** A page about one token; 404 where the organization has no such token for provisioning. */
  const withToken = (handler: (call: TokenCall, token: MemberToken) => ReturnType<typeof submit>) =>
    inOrganization<{ tokenId: string }>(context, 'sso', async (call) => {
      const token = await findToken(call.client, call.organization.id, call.params.tokenId);
      if (token === null) return call.reply.code(404).send(renderNotFound(call.session));
      return await handler(call, token);
    });
  app.get(
    one,
    withToken(async (call, token) => showRevocation(call, token, null)),
  );
  app.post(
    one,
    form,
    withToken((call, token) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, reply } = call;
          await client.call(operations.revokeOrganizationToken, {
            params: { organizationId: organization.id, tokenId: token.id },
          });
          return reply.redirect(`${ssoPath(organization.id)}?done=revoked`, 303);
        },
        async (problem) => showRevocation(call, token, problem),
      ),
    ),
  );
}

async function findToken(
  client: PlatformClient,
  organizationId: string,
  tokenId: string,
): Promise<MemberToken | null> {
  for await (const token of client.paginate(operations.listOrganizationTokens, {
    params: { organizationId },
    query: { scope: 'scim', limit: 1000 },
  }))
    if (token.id === tokenId) return token;
  return null;
}
