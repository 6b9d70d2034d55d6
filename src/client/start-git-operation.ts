import { type BodyOf, operations } from '../contract/index.ts';
import type { PlatformClient } from './create-client.ts';

/** An import or an export of a space. */
export type GitRequest =
  | { readonly direction: 'import'; readonly body: BodyOf<typeof operations.importGit> }
  | { readonly direction: 'export'; readonly body: BodyOf<typeof operations.exportGit> };

/**
 * Starts an import or export and returns the id of its operation, as `Docloom-Operation` names it. A platform that does
 * not send that header has it at the head of its list: it is the newest of this direction and ref.
 *
 * @throws PlatformError when the platform refuses it
 * @throws Error when it neither names nor lists an operation
 */
export async function startGitOperation(
  client: PlatformClient,
  spaceId: string,
  request: GitRequest,
  signal?: AbortSignal,
): Promise<string> {
  const input = { params: { spaceId }, ...(signal ? { signal } : {}) };
  const { headers } =
    request.direction === 'import'
      ? await client.callWithHeaders(operations.importGit, { ...input, body: request.body })
      : await client.callWithHeaders(operations.exportGit, { ...input, body: request.body });
  const started = headers['Docloom-Operation'];
  if (started !== undefined) return started;
  const { items } = await client.call(operations.listGitOperations, input);
  const newest = items.find(
    ({ direction, ref }) => direction === request.direction && ref === request.body.ref,
  );
  if (newest === undefined) {
    throw new Error(
      `The platform accepted an ${request.direction} of ${request.body.ref}, but neither named nor listed its operation; check its version.`,
    );
  }
  return newest.id;
}
