import type { ApiOperation, SecurityRequirement } from '../api-model.ts';
import type { ChangeList } from './change-list.ts';

/** Credentials that were sufficient must still be: with the same schemes and scopes, or with fewer. */
export function compareSecurity(old: ApiOperation, next: ApiOperation, list: ChangeList): void {
  const here = { side: 'new', pointer: next.securityPointer } as const;
  const removed = old.security.filter((was) => !next.security.some((is) => isSatisfied(is, was)));
  const added = next.security.filter((is) => !old.security.some((was) => isSatisfied(was, is)));
  const was = old.security.map(describeRequirement).join(', or ');
  const is = next.security.map(describeRequirement).join(', or ');
  if (removed.length > 0) {
    list.add(
      'security-tightened',
      true,
      here,
      `It could be called with ${removed.map(describeRequirement).join(', or ')}, and now requires ${is}.`,
      { was, is },
    );
  }
  if (added.length > 0) {
    list.add(
      'security-relaxed',
      false,
      here,
      `It can now be called with ${added.map(describeRequirement).join(', or ')}.`,
      { was, is },
    );
  }
}

/** Whether a client with all of `granted` also satisfies `needed`. */
function isSatisfied(needed: SecurityRequirement, granted: SecurityRequirement): boolean {
  return [...needed].every(([name, scopes]) => {
    const has = granted.get(name);
    return has !== undefined && scopes.every((scope) => has.includes(scope));
  });
}

function describeRequirement(requirement: SecurityRequirement): string {
  if (requirement.size === 0) return 'no credentials';
  return [...requirement]
    .map(([name, scopes]) => (scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`))
    .join(' with ');
}
