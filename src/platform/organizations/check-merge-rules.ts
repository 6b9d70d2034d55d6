import type { MergeRules, MergeRulesInput } from '../../contract/index.ts';
import { type Db, findMembers } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';
import { problemOfCondition } from '../change-requests/enforce-merge-rules.ts';

/** The merge rules to store, or null to inherit them. Throws a 400 if they name a user who is not a member. */
export async function checkMergeRules(
  db: Db,
  organizationId: string,
  input: MergeRulesInput,
): Promise<MergeRules | null> {
  if (input.type === 'inherit') return null;
  // As rules of its own, so that a space can have none where its organization has some.
  if (input.type === 'none') return { type: 'rules', rules: [] };
  const userIds = input.rules.flatMap((rule) => rule.users ?? []);
  const members = await findMembers(db, organizationId, userIds);
  input.rules.forEach((rule, index) => {
    const stranger = rule.users?.findIndex((user) => !members.has(user)) ?? -1;
    if (stranger !== -1) {
      throw invalid(
        `/body/mergeRules/rules/${index}/users/${stranger}`,
        'is not a member of the organization',
      );
    }
    const problem = rule.rule === 'custom' ? problemOfCondition(rule.expression ?? '') : null;
    if (problem !== null)
      throw invalid(`/body/mergeRules/rules/${index}/expression`, `is no condition: ${problem}`);
  });
  return input;
}
