import type { Member } from '../../contract/index.ts';
import { countTeamsOf, findProvisioned, loadGrantsOf, type MemberView } from '../../store/index.ts';
import { effectiveRoleAt } from '../access/effective-role.ts';
import { loadReach } from '../access/load-reach.ts';
import { allows } from '../access/roles.ts';
import type { PlatformDeps } from '../deps.ts';
import { membershipOf } from './load-membership.ts';
import { presentMember } from './present-member.ts';

/** Returns a presenter for these members of one organization. */
export async function viewMembers(
  { db, publicUrl }: Pick<PlatformDeps, 'db' | 'publicUrl'>,
  organizationId: string,
  views: readonly MemberView[],
): Promise<(view: MemberView) => Member> {
  const userIds = views.map(({ member }) => member.userId);
  const [grants, teams, provisioned] = await Promise.all([
    loadGrantsOf(db, organizationId, userIds),
    countTeamsOf(db, organizationId, userIds),
    findProvisioned(db, organizationId, userIds),
  ]);
  const membershipOfView = ({ member }: MemberView) => membershipOf(member, grants.get(member.userId) ?? []);
  const seesAll = (view: MemberView) => allows(effectiveRoleAt(membershipOfView(view)), 'read');
  const reach = await loadReach(db, organizationId, {
    onlyTotal: views.every(seesAll),
    granted: [...grants.values()].flat(),
  });

  function countSpacesOf(view: MemberView): number {
    if (seesAll(view)) return reach.total;
    const isStranger = membershipOfView(view).member === 'none';
    return isStranger ? reach.countPublic() : reach.countForGuests(grants.get(view.member.userId) ?? []);
  }
  return (view) => {
    const { userId } = view.member;
    const facts = {
      spaces: countSpacesOf(view),
      teams: teams.get(userId) ?? 0,
      isProvisioned: provisioned.has(userId),
    };
    return presentMember(view, facts, publicUrl);
  };
}
