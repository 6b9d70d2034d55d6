import type { ChangeRequestReview, Team } from '../../contract/index.ts';
import {
  listRequestedReviewers,
  listReviewComments,
  listReviews,
  loadReview,
  loadTeams,
  type RequestedReviewerView,
  type ReviewView,
  recordAudit,
  removeRequestedReviewer,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { allows, spaceRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { type LocatedChangeRequest, locateChangeRequest } from '../change-requests/locate-change-request.ts';
import { requireRate } from '../comments/limits.ts';
import { type CommentFormat, viewComments } from '../comments/present-comment.ts';
import type { PlatformDeps } from '../deps.ts';
import { viewTeams } from '../teams/view-teams.ts';
import { readMergeStatus } from './merge-status.ts';
import { presentRequestedReviewer, presentReview } from './present-review.ts';
import { requestReviewers } from './request-reviewers.ts';
import { submitReview } from './submit-review.ts';

/** The most requests for reviews that one change request has at a time. */
const ALL_REQUESTS = 1_000;

export function reviewHandlers(deps: PlatformDeps): HandlersOf<'reviews'> {
  const { db, publicUrl } = deps;

  const viewOf = (caller: Caller, { space, changeRequest }: LocatedChangeRequest) => ({
    caller,
    space,
    changeRequest: changeRequest.row,
    publicUrl,
  });

  const discussionOf = (caller: Caller, located: LocatedChangeRequest) => ({
    ...located,
    caller,
    discussion: { spaceId: located.space.id, changeRequestId: located.changeRequest.row.id },
  });

  /** Presents reviews, with what was said with them to those who may read comments. */
  async function reviewsPresenter(
    caller: Caller,
    located: LocatedChangeRequest,
    rows: readonly ReviewView[],
    format: CommentFormat = 'document',
  ): Promise<(view: ReviewView) => ChangeRequestReview> {
    const discussion = discussionOf(caller, located);
    const mayRead = allows(located.effectiveRole, spaceRights.comment);
    const ids = mayRead ? rows.map(({ row }) => row.id) : [];
    const said = await listReviewComments(db, discussion.discussion, ids);
    const present = await viewComments(db, said, { located: discussion, publicUrl, format });
    const comments = new Map(said.map((view) => [view.row.reviewId, view]));
    return (view) => {
      const comment = comments.get(view.row.id);
      return presentReview(view, viewOf(caller, located), comment === undefined ? null : present(comment));
    };
  }

  async function readReview(
    caller: Caller,
    located: LocatedChangeRequest,
    id: string,
    format?: CommentFormat,
  ): Promise<ChangeRequestReview> {
    const view = await loadReview(db, located.changeRequest.row.id, id);
    if (view === null) throw notFound('review with this id of this change request');
    return (await reviewsPresenter(caller, located, [view], format))(view);
  }

  async function presentRequests(
    caller: Caller,
    located: LocatedChangeRequest,
    rows: readonly RequestedReviewerView[],
  ) {
    const { organizationId } = located.space;
    const ids = rows.flatMap(({ row }) => row.teamId ?? []);
    const views = ids.length === 0 ? [] : await loadTeams(db, organizationId, ids, caller.user.id);
    const present = await viewTeams(deps, caller, organizationId, views);
    const teams = new Map<string, Team>(views.map((view) => [view.team.id, present(view)]));
    return (request: RequestedReviewerView) =>
      presentRequestedReviewer(request, {
        ...viewOf(caller, located),
        team: teams.get(request.row.teamId ?? '') ?? null,
      });
  }

  async function withdraw(
    caller: Caller,
    params: { readonly spaceId: string; readonly changeRequestId: string },
    subject: { readonly userId: string } | { readonly teamId: string },
  ): Promise<void> {
    const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'edit');
    await db.transaction(async (tx) => {
      if (!(await removeRequestedReviewer(tx, changeRequest.row.id, subject))) return;
      await recordAudit(tx, {
        organizationId: space.organizationId,
        action: 'change-request.withdraw-review-request',
        actor: caller.actor,
        target: { kind: 'change-request', id: changeRequest.row.id, name: changeRequest.row.subject },
        before: { space: space.id, number: changeRequest.row.number, ...subject },
      });
    });
  }

  return {
    async listReviews({ caller, params, query }) {
      const located = await locateChangeRequest(db, caller, params, 'access');
      const { row } = located.changeRequest;
      const limit = limitOf(query);
      const list = `reviews of ${row.id}`;
      const found = await listReviews(db, row, {
        outdated: query.outdated ?? null,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, {
        list,
        limit,
        keyOf: (view) => ageKeyOf(view.row),
        present: await reviewsPresenter(caller, located, found.rows, query.format),
      });
    },

    async submitReview({ caller, params, body, setHeader }) {
      const located = await locateChangeRequest(db, caller, params, 'review');
      if (body.comment !== undefined) await requireRate(db, caller, setHeader);
      const id = await submitReview(deps, discussionOf(caller, located), body);
      return await readReview(caller, located, id);
    },

    async getReview({ caller, params, query }) {
      const located = await locateChangeRequest(db, caller, params, 'access');
      return await readReview(caller, located, params.reviewId, query.format);
    },

    async listRequestedReviewers({ caller, params, query }) {
      const located = await locateChangeRequest(db, caller, params, 'access');
      const { row } = located.changeRequest;
      const limit = limitOf(query);
      const list = `requested reviewers of ${row.id}`;
      const after = readAgeCursor(list, query);
      const found = await listRequestedReviewers(db, row.id, { after, limit: limit + 1 });
      const present = await presentRequests(caller, located, found.rows);
      return toList(found, { list, limit, keyOf: (view) => ageKeyOf(view.row), present });
    },

    async requestReviewers({ caller, params, body }) {
      const located = await locateChangeRequest(db, caller, params, 'edit');
      await requestReviewers(deps, caller, located, body);
      const { rows } = await listRequestedReviewers(db, located.changeRequest.row.id, {
        after: null,
        limit: ALL_REQUESTS,
      });
      const present = await presentRequests(caller, located, rows);
      const [users, teams] = [new Set(body.users), new Set(body.teams ?? [])];
      return {
        users: rows.filter(({ row }) => users.has(row.userId ?? '')).map(present),
        teams: rows.filter(({ row }) => teams.has(row.teamId ?? '')).map(present),
      };
    },

    removeRequestedReviewer: ({ caller, params }) => withdraw(caller, params, { userId: params.userId }),

    removeRequestedTeam: ({ caller, params }) => withdraw(caller, params, { teamId: params.teamId }),

    async getMergeStatus({ caller, params }) {
      const located = await locateChangeRequest(db, caller, params, 'access');
      return await readMergeStatus(deps, caller.user.id, located);
    },
  };
}
