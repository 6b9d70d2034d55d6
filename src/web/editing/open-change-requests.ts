import { type ChangeRequest, operations, type PlatformClient } from '../../client/index.ts';

/** Change requests of each status that are offered. */
const OFFERED = 50;

/** The change requests that the user may write into, last changed first; those that they began come first. */
export async function listWritable(
  client: PlatformClient,
  spaceId: string,
  userId: string | null,
): Promise<readonly ChangeRequest[]> {
  const lists = await Promise.all(
    (['draft', 'open'] as const).map((status) =>
      client.call(operations.listChangeRequests, { params: { spaceId }, query: { status, limit: OFFERED } }),
    ),
  );
  const isOwn = (one: ChangeRequest) => Number(one.createdBy !== undefined && one.createdBy.id === userId);
  return lists
    .flatMap(({ items }) => items)
    .filter(({ permissions }) => permissions.edit)
    .sort((a, b) => isOwn(b) - isOwn(a) || (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** What somebody is editing in: a change request, or one that the first save creates. */
export type EditedIn = ChangeRequest | null;

/**
 * The change request that the address names (`new` for none yet); without one, the last draft of the user. Null for a new
 * one, undefined where the named one does not exist or cannot be changed.
 */
export function chooseWritable(
  writable: readonly ChangeRequest[],
  named: string,
  userId: string | null,
): EditedIn | undefined {
  if (named === 'new') return null;
  if (named !== '') return writable.find(({ number, id }) => String(number) === named || id === named);
  const own = writable.find(({ status, createdBy }) => status === 'draft' && createdBy?.id === userId);
  return own ?? null;
}

/** Creates a change request with a subject that says what it is about, unless the writer gave one. */
export async function openChangeRequest(
  client: PlatformClient,
  spaceId: string,
  subject: string,
): Promise<ChangeRequest> {
  const short = subject
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 256);
  return await client.call(operations.createChangeRequest, { params: { spaceId }, body: { subject: short } });
}
