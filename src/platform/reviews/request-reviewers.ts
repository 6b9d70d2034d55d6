import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  countRequestedReviewers,
  findTeams,
  insertRequestedReviewers,
  lockChangeRequestForUpdate,
  newId,
  recordAudit,
  supersedeReviews,
  updateChangeRequest,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { allows, spaceRights } from '../access/roles.ts';
import { loadRolesInSpace } from '../access/roles-in-space.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { checkSubject } from '../change-requests/check-subject.ts';
import type { LocatedChangeRequest } from '../change-requests/locate-change-request.ts';
import { writeDescription } from '../change-requests/read-description.ts';
import { requireUnmerged } from '../change-requests/require-unmerged.ts';
import type { PlatformDeps } from '../deps.ts';
import { notifyOfRequest } from './notify-of-review.ts';

/** Of one change request. */
const MAX_REQUESTED = 100;

/** Requests reviews of users and teams, and opens a draft by it. Those of whom it was not requested before are notified. */
export async function requestReviewers(
  deps: PlatformDeps,
  caller: Caller,
  { space, changeRequest }: LocatedChangeRequest,
  body: BodyOf<Operations['requestReviewers']>,
): Promise<void> {
  const [users, teams] = [[...new Set(body.users)], [...new Set(body.teams ?? [])]];
  await checkUsers(deps, { space, changeRequest }, users);
  await checkTeams(deps, space.organizationId, teams);
  const { description: sent } = body;
  const saved = changeRequest.row.description;
  const description = sent && (await writeDescription(deps.db, space, sent, saved));
  const subject = checkSubject(body.subject);
  await deps.db.transaction(async (tx) => {
    const locked = await lockChangeRequestForUpdate(tx, changeRequest.row.id);
    const row = requireUnmerged(locked === null ? null : { ...changeRequest, row: locked });
    const base = { changeRequestId: row.id, requestedBy: caller.user.id, revisionId: row.revisionId };
    const added = await insertRequestedReviewers(tx, [
      ...users.map((userId) => ({ id: newId(), ...base, userId })),
      ...teams.map((teamId) => ({ id: newId(), ...base, teamId })),
    ]);
    if ((await countRequestedReviewers(tx, row.id)) > MAX_REQUESTED) {
      throw new ApiError(
        'limit-reached',
        `A change request has at most ${MAX_REQUESTED} reviews that are requested and not done.`,
      );
    }
    await supersedeReviews(
      tx,
      row.id,
      added.flatMap(({ userId }) => userId ?? []),
    );
    await updateChangeRequest(tx, row.id, {
      ...(row.status === 'draft' ? { status: 'open' } : {}),
      ...(subject === undefined ? {} : { subject }),
      ...(description === undefined ? {} : { description }),
    });
    await recordAudit(tx, {
      organizationId: space.organizationId,
      action: 'change-request.request-review',
      actor: caller.actor,
      target: { kind: 'change-request', id: row.id, name: row.subject },
      after: { space: space.id, number: row.number, users, teams },
    });
    await notifyOfRequest(deps, tx, {
      space,
      row: { ...row, subject: subject ?? row.subject },
      caller,
      requestId: newId(),
      userIds: added.flatMap(({ userId }) => userId ?? []),
      teamIds: added.flatMap(({ teamId }) => teamId ?? []),
    });
  });
}

/** Only whoever may review is asked to, and nobody for their own work. */
async function checkUsers(
  { db }: PlatformDeps,
  { space, changeRequest }: Pick<LocatedChangeRequest, 'space' | 'changeRequest'>,
  users: readonly string[],
): Promise<void> {
  const roles = await loadRolesInSpace(db, space, users);
  users.forEach((user, index) => {
    const at = `/body/users/${index}`;
    if (!allows(roles.get(user) ?? 'none', spaceRights.review))
      throw invalid(at, `is nobody who may review in this space (that takes the role ${spaceRights.review})`);
    if (user === changeRequest.row.createdBy)
      throw invalid(at, 'created the change request, so somebody else has to review it');
  });
}

async function checkTeams(
  { db }: PlatformDeps,
  organizationId: string,
  teams: readonly string[],
): Promise<void> {
  const known = await findTeams(db, organizationId, teams);
  teams.forEach((team, index) => {
    if (!known.has(team)) throw invalid(`/body/teams/${index}`, 'is not a team of the organization');
  });
}
