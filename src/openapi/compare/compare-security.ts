import type { ApiOperation, SecurityNeed } from '../api-model.ts';
import type { ChangeList } from './change-list.ts';

/** Every way in that was open must still be: with the same schemes and scopes, or with fewer. */
export function compareSecurity(old: ApiOperation, next: ApiOperation, list: ChangeList): void {
  const here = { side: 'new', pointer: next.securityPointer } as const;
  const shut = old.security.filter((was) => !next.security.some((is) => isSatisfied(is, was)));
  const open = next.security.filter((is) => !old.security.some((was) => isSatisfied(was, is)));
  const was = old.security.map(sayNeed).join(', or ');
  const is = next.security.map(sayNeed).join(', or ');
  if (shut.length > 0) {
    list.add(
      'security-tightened',
      true,
      here,
      `It could be called with ${shut.map(sayNeed).join(', or ')}, and takes ${is} now.`,
      { was, is },
    );
  }
  if (open.length > 0) {
    list.add(
      'security-relaxed',
      false,
      here,
      `It can be called with ${open.map(sayNeed).join(', or ')} now.`,
      { was, is },
    );
  }
}

/** Whether who can give all of `given` has what `needed` asks for. */
function isSatisfied(needed: SecurityNeed, given: SecurityNeed): boolean {
  return [...needed].every(([name, scopes]) => {
    const has = given.get(name);
    return has !== undefined && scopes.every((scope) => has.includes(scope));
  });
}

function sayNeed(need: SecurityNeed): string {
  if (need.size === 0) return 'no credentials';
  return [...need]
    .map(([name, scopes]) => (scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`))
    .join(' with ');
}
