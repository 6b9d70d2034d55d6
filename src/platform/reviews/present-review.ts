import type { ChangeRequestReview, Comment, RequestedReviewer, Team } from '../../contract/index.ts';
import type {
  ChangeRequestRow,
  RequestedReviewerView,
  ReviewView,
  SpaceRow,
  UserRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { presentUserTo } from '../organizations/present-user.ts';

interface View {
  readonly caller: Caller;
  readonly space: SpaceRow;
  readonly changeRequest: ChangeRequestRow;
  readonly publicUrl: string;
}

/** The public fields of a review. @param comment what was said with it, if the caller may read it */
export function presentReview(
  { row, reviewer, requestedBy }: ReviewView,
  view: View,
  comment: Comment | null,
): ChangeRequestReview {
  const { space, changeRequest, publicUrl } = view;
  const present = userPresenter(view);
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revisionId,
    reviewer: present(reviewer),
    ...(requestedBy === null ? {} : { requestedBy: present(requestedBy) }),
    status: row.status as ChangeRequestReview['status'],
    outdated: row.superseded || row.holdsFor !== changeRequest.revisionId,
    ...(comment === null ? {} : { comment }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    urls: {
      location: `${publicUrl}/v1/spaces/${space.id}/change-requests/${changeRequest.id}/reviews/${row.id}`,
    },
  };
}

/** The public fields of a request for a review. @param team the requested one, if it is one that the caller may see */
export function presentRequestedReviewer(
  { row, user, requestedBy }: RequestedReviewerView,
  view: View & { readonly team: Team | null },
): RequestedReviewer {
  const present = userPresenter(view);
  return {
    object: 'change-request-requested-reviewer',
    ...(user === null
      ? { kind: 'team', ...(view.team === null ? {} : { team: view.team }) }
      : { kind: 'user', user: present(user) }),
    revision: row.revisionId,
    requestedBy: present(requestedBy ?? gone),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Stands for a user whose account was deleted. */
const gone: UserRow = { id: 'gone', displayName: 'Somebody who is gone', email: '' } as UserRow;

function userPresenter({ caller, space, publicUrl }: View) {
  return (user: UserRow) => presentUserTo(caller, space.organizationId, user, publicUrl);
}
