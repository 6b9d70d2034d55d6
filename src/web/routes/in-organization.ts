import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Organization, operations, type Role } from '../../client/index.ts';
import { type OrganizationSection, organizationSections } from '../views/organization-frame.ts';
import { readRole } from '../views/role-words.ts';
import { readFormProblem } from './form-problem.ts';
import { type PagesContext, renderNotFound, type SignedIn, signedIn } from './signed-in.ts';

export interface InOrganization<Params> extends SignedIn<Params & { readonly organizationId: string }> {
  readonly organization: Organization;
}

/**
 * Makes a handler for a page, or a form, of an organization's section. Whoever may not see the section gets the same 404 as
 * for an organization that does not exist.
 */
export function inOrganization<Params = unknown>(
  context: PagesContext,
  section: OrganizationSection,
  handler: (call: InOrganization<Params>) => Promise<string | FastifyReply>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply> {
  return signedIn<Params & { readonly organizationId: string }>(context, async (call) => {
    const { organizationId } = call.params;
    const organization = await call.client.call(operations.getOrganization, { params: { organizationId } });
    if (!organization.permissions[organizationSections[section].right])
      return call.reply.code(404).send(renderNotFound(call.session));
    return await handler({ ...call, organization });
  });
}

/** Does what a form requests; what is wrong with it is shown in the form's page. */
export async function submit(
  reply: FastifyReply,
  act: () => Promise<string | FastifyReply>,
  showAgain: (problem: string) => Promise<string>,
): Promise<string | FastifyReply> {
  try {
    return await act();
  } catch (error) {
    const { status, sentence } =
      error instanceof UnusableInput ? { status: 400, sentence: error.message } : readFormProblem(error);
    return reply.code(status).send(await showAgain(sentence));
  }
}

/** What somebody entered cannot be used: one sentence for that person. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

/** The role that somebody chose in a form; null for a guest. @throws {UnusableInput} */
export function chooseRole(text: string): Role | null {
  const role = readRole(text);
  if (role === undefined) throw new UnusableInput('Choose a role from the list.');
  return role;
}
