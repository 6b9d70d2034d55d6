import type { FastifyInstance } from 'fastify';
import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import { organizationPath } from '../addresses.ts';
import { readPlainDocument, writePlainDocument } from '../editing/plain-document.ts';
import { MAX_INSTRUCTIONS, renderInstructions } from '../views/instructions-view.ts';
import { type InOrganization, inOrganization, submit, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 20;
/** Of the form, in bytes: letters may have three, and percent signs take as many again. */
const MAX_FORM = 256 * 1024;
const base = '/orgs/:organizationId/instructions';

const NEWS: ReadonlyMap<string, string> = new Map([['saved', 'The instructions were saved.']]);

/** What an organization tells its language model. */
export function registerInstructions(app: FastifyInstance, context: PagesContext): void {
  async function show(call: InOrganization<unknown>, problem: string | null) {
    const { client, organization, request, session } = call;
    const params = { organizationId: organization.id };
    const [instructions, versions] = await Promise.all([
      client.call(operations.getAgentInstructions, { params }),
      client.call(operations.listAgentInstructionsVersions, {
        params,
        query: { limit: SHOWN, ...pageOf(request) },
      }),
    ]);
    const names = await loadNames(
      client,
      versions.items.map(({ createdBy }) => createdBy),
    );
    const entered = problem === null ? '' : readText(request.body, 'instructions', MAX_INSTRUCTIONS);
    return renderInstructions({
      organization,
      instructions,
      text: entered || readPlainDocument(instructions.instructions),
      versions: versions.items.map((version) => ({
        ...version,
        text: readPlainDocument(version.instructions),
        author: names.get(version.createdBy) ?? 'somebody who left',
      })),
      more: nextPage(organizationPath(organization.id, 'instructions'), versions.next),
      news: problem === null ? (NEWS.get(readText(request.query, 'done')) ?? null) : null,
      problem,
      user: session,
      now: context.now(),
    });
  }

  app.get(
    base,
    inOrganization(context, 'instructions', (call) => show(call, null)),
  );
  app.post(
    base,
    ownForm(context, MAX_FORM),
    inOrganization(context, 'instructions', (call) =>
      submit(
        call.reply,
        async () => {
          const { client, organization, reply, request } = call;
          const text = readText(request.body, 'instructions', MAX_INSTRUCTIONS + 1);
          if (text.length > MAX_INSTRUCTIONS)
            throw new UnusableInput(`Instructions have at most ${MAX_INSTRUCTIONS} characters.`);
          await client.call(operations.updateAgentInstructions, {
            params: { organizationId: organization.id },
            body: { instructions: writePlainDocument(text) },
          });
          return reply.redirect(`${organizationPath(organization.id, 'instructions')}?done=saved`, 303);
        },
        (problem) => show(call, problem),
      ),
    ),
  );
}

/** The names of users by their ids, of those who are still there. */
async function loadNames(
  client: PlatformClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...new Set(ids)]
      .filter((id) => id !== '')
      .map(async (userId) => {
        try {
          const { displayName } = await client.call(operations.getUserById, { params: { userId } });
          return [[userId, displayName] as const];
        } catch (error) {
          if (error instanceof PlatformError && (error.status === 404 || error.status === 403)) return [];
          throw error;
        }
      }),
  );
  return new Map(found.flat());
}
