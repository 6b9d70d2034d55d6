import {
  type ChangeRequestRow,
  type Db,
  loadLastReviews,
  loadRequestedReviewers,
  loadTeams,
  type SpaceRow,
} from '../../store/index.ts';
import { allows, spaceRights } from '../access/roles.ts';
import { loadRolesInSpace } from '../access/roles-in-space.ts';

/** A user or team in the sentences of merge rules. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** What reviewers who may still review in the space say about a change request now. */
export interface ReviewFacts {
  /** Who approved what it proposes now, and neither created nor changed it. */
  readonly approvedBy: readonly Named[];
  /** Who approved what it proposed earlier. */
  readonly staleApprovals: readonly Named[];
  /** Who requested changes, and has not reviewed again. */
  readonly changesRequestedBy: readonly Named[];
  /** Users and teams whose review is requested and not done. */
  readonly requested: readonly Named[];
}

export const noReviews: ReviewFacts = {
  approvedBy: [],
  staleApprovals: [],
  changesRequestedBy: [],
  requested: [],
};

/** What reviewers say about these change requests of one space, by their ids. */
export async function loadReviewFacts(
  db: Db,
  space: SpaceRow,
  rows: readonly ChangeRequestRow[],
): Promise<ReadonlyMap<string, ReviewFacts>> {
  const ids = rows.map(({ id }) => id);
  const reviews = await loadLastReviews(db, ids);
  const requests = await loadRequestedReviewers(db, ids);
  const roles = await loadRolesInSpace(db, space, [...new Set(reviews.map(({ reviewer }) => reviewer.id))]);
  const teamIds = requests.flatMap(({ row }) => row.teamId ?? []);
  const teams = teamIds.length === 0 ? [] : await loadTeams(db, space.organizationId, teamIds, '');
  const titles = new Map(teams.map(({ team }) => [team.id, team.title]));
  return new Map(
    rows.map((row) => {
      const own = reviews.filter(
        ({ row: review, reviewer }) =>
          review.changeRequestId === row.id && allows(roles.get(reviewer.id) ?? 'none', spaceRights.review),
      );
      const isIndependent = (id: string) => id !== row.createdBy && !row.editors.includes(id);
      const approvals = own.filter(
        ({ row: { status }, reviewer }) => status === 'approved' && isIndependent(reviewer.id),
      );
      const name = ({ reviewer }: (typeof own)[number]) => ({ id: reviewer.id, name: reviewer.displayName });
      const facts: ReviewFacts = {
        approvedBy: approvals.filter(({ row: { holdsFor } }) => holdsFor === row.revisionId).map(name),
        staleApprovals: approvals.filter(({ row: { holdsFor } }) => holdsFor !== row.revisionId).map(name),
        changesRequestedBy: own.filter(({ row: { status } }) => status === 'changes-requested').map(name),
        requested: requests
          .filter(({ row: { changeRequestId } }) => changeRequestId === row.id)
          .map(({ row: { teamId, userId }, user }) => ({
            id: teamId ?? userId ?? '',
            name: user?.displayName ?? titles.get(teamId ?? '') ?? 'a team',
          })),
      };
      return [row.id, facts];
    }),
  );
}
