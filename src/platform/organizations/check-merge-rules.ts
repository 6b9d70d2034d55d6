import type { MergeRulesInput } from '../../contract/index.ts';
import { type Db, findMembers } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';

/** Merge rules as they are stored, or null to inherit them. Throws a 400 where they name somebody who is not a member. */
export async function checkMergeRules(
  db: Db,
  organizationId: string,
  input: MergeRulesInput,
): Promise<MergeRulesInput | null> {
  if (input.type === 'inherit') return null;
  const named = input.rules.flatMap((rule) => rule.users ?? []);
  const found = await findMembers(db, organizationId, named);
  input.rules.forEach((rule, index) => {
    const stranger = rule.users?.findIndex((user) => !found.has(user)) ?? -1;
    if (stranger !== -1) {
      throw invalid(`/body/mergeRules/rules/${index}/users/${stranger}`, 'is no member of the organization');
    }
  });
  return input;
}
