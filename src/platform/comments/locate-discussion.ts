import {
  type ChangeRequestView,
  type CommentView,
  type Db,
  type Discussion,
  loadChangeRequest,
  loadComment,
  type SpaceRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import { allows, type EffectiveRole, spaceRights } from '../access/roles.ts';
import { ApiError, notFound } from '../api/api-error.ts';

/** The list that a request is about: the comments of a space, or those of a change request. */
export interface DiscussionParams {
  readonly spaceId: string;
  readonly changeRequestId?: string;
}

export interface LocatedDiscussion {
  readonly caller: Caller;
  readonly space: SpaceRow;
  readonly effectiveRole: EffectiveRole;
  readonly changeRequest: ChangeRequestView | null;
  readonly discussion: Discussion;
}

/** Returns the discussion if the caller takes part in those of its space; throws a 404 or 403 otherwise. */
export async function locateDiscussion(
  db: Db,
  caller: Caller,
  params: DiscussionParams,
): Promise<LocatedDiscussion> {
  const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, 'comment');
  const { changeRequestId } = params;
  const changeRequest =
    changeRequestId === undefined ? null : await loadChangeRequest(db, space.id, changeRequestId);
  if (changeRequest === null && changeRequestId !== undefined) {
    throw notFound('change request with this id or number in this space');
  }
  const discussion = { spaceId: space.id, changeRequestId: changeRequest?.row.id ?? null };
  return { caller, space, effectiveRole, changeRequest, discussion };
}

/** What a comment is about, for where it needs a name: it has none, and what it says may be deleted later. */
export function nameOfPlace(
  { space, changeRequest }: Pick<LocatedDiscussion, 'space' | 'changeRequest'>,
  page: { readonly title: string } | null | undefined,
): string {
  const whole =
    changeRequest === null ? space.title : `#${changeRequest.row.number} ${changeRequest.row.subject}`.trim();
  return page ? `${page.title} (${whole})` : whole;
}

/** Returns a comment of the discussion; throws a 404 when there is none. */
export async function requireComment(
  db: Db,
  { discussion }: LocatedDiscussion,
  commentId: string,
): Promise<CommentView> {
  const found = await loadComment(db, discussion, commentId);
  if (found === null) throw notFound('comment with this id here');
  return found;
}

/** Whether the caller may change and delete what this user wrote: their own, and as an editor of the space everything. */
export function mayModerate(
  { caller, effectiveRole }: Pick<LocatedDiscussion, 'caller' | 'effectiveRole'>,
  authorId: string | null,
): boolean {
  return authorId === caller.user.id || allows(effectiveRole, spaceRights.edit);
}

/** Throws a 403 when the caller may not change what this user wrote. */
export function requireModeration(located: LocatedDiscussion, authorId: string | null): void {
  if (mayModerate(located, authorId)) return;
  throw new ApiError(
    'not-own-comment',
    'Somebody else wrote this; its author and those who may edit the space can change, resolve or delete it.',
  );
}

/** Throws a 403 when the caller may not say that something was written elsewhere, by somebody else. */
export function requireMirroring({ caller, effectiveRole }: LocatedDiscussion): void {
  if (caller.actor.kind === 'server' || allows(effectiveRole, spaceRights.admin)) return;
  throw new ApiError(
    'role-too-low',
    'Only the server itself and administrators of the space say where a comment was copied from or to; leave out `mirror`.',
  );
}
