import type { FastifyInstance } from 'fastify';
import { operations, type Role, roles } from '../../client/index.ts';
import { ACCOUNT_PATHS } from '../addresses.ts';
import { EMPTY_TOKEN_FORM, renderNewToken, renderTokens, type TokenForm } from '../views/tokens-view.ts';
import { type FormProblem, readFormProblem } from './form-problem.ts';
import { nextPage, pageOf } from './list-page.ts';
import { secretForm } from './own-forms.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';
import { type PagesContext, type SignedIn, signedIn } from './signed-in.ts';
import { expiryAfter } from './token-expiry.ts';

const SHOWN = 50;
/** Organizations to choose from; who has more binds a token with the API. */
const MAX_ORGANIZATIONS = 100;

/** How the platform's messages call the fields of the form. */
const LABELS = {
  name: 'The name',
  expiresAt: 'The expiry',
  role: 'The role',
  organization: 'The organization',
};

/** `/account/tokens`: one's own API tokens. */
export function registerOwnTokens(app: FastifyInstance, context: PagesContext): void {
  const guarded = secretForm(context, 4096);

  async function show(
    { client, session, request }: SignedIn<unknown>,
    { form = EMPTY_TOKEN_FORM, problem = null }: { form?: TokenForm; problem?: FormProblem | null } = {},
  ): Promise<string> {
    const [{ items, next }, organizations] = await Promise.all([
      client.call(operations.listTokens, { query: { limit: SHOWN, ...pageOf(request) } }),
      client.call(operations.listOrganizations, { query: { limit: MAX_ORGANIZATIONS } }),
    ]);
    return renderTokens({
      tokens: items,
      organizations: organizations.items,
      more: nextPage(ACCOUNT_PATHS.tokens, next),
      form,
      problem,
      news: readText(request.query, 'done') === 'revoked' ? 'The token was revoked.' : null,
      now: context.now(),
      user: session,
    });
  }

  app.get(
    ACCOUNT_PATHS.tokens,
    signedIn(context, (call) => show(call)),
  );

  app.post(
    ACCOUNT_PATHS.tokens,
    guarded,
    signedIn(context, async (call) => {
      const { client, session, request, reply } = call;
      const form: TokenForm = {
        name: readText(request.body, 'name'),
        days: readText(request.body, 'days'),
        role: readText(request.body, 'role'),
        organization: readText(request.body, 'organization'),
      };
      const expiresAt = expiryAfter(form.days, context.now());
      const { name, organization } = form;
      const role: Role = roles.find((one) => one === form.role) ?? 'read';
      try {
        const token = await client.call(operations.createToken, {
          body: { name, role, expiresAt, ...(organization === '' ? {} : { organization }) },
        });
        return renderNewToken({ token, now: context.now(), user: session });
      } catch (error) {
        const problem = readFormProblem(error, LABELS);
        return reply.code(problem.status).send(await show(call, { form, problem }));
      }
    }),
  );

  app.post(
    ACCOUNT_PATHS.revokeToken,
    guarded,
    signedIn(context, async (call) => {
      const { client, request, reply } = call;
      try {
        await client.call(operations.revokeToken, { params: { tokenId: readId(request.body, 'id') } });
      } catch (error) {
        const problem = readFormProblem(error);
        return reply.code(problem.status).send(await show(call, { problem }));
      }
      return reply.redirect(`${ACCOUNT_PATHS.tokens}?done=revoked`, 303);
    }),
  );
}
