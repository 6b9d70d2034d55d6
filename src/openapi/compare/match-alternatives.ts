import { isObject } from '../pointer.ts';
import { type Located, nameOfReference, type Resolved } from '../resolve-reference.ts';
import type { ChangeList } from './change-list.ts';

export interface MatchedAlternatives {
  readonly pairs: readonly (readonly [Located, Located])[];
  readonly removed: readonly Located[];
  readonly added: readonly Located[];
}

/**
 * Pairs old and new alternatives: by name, then by content, then by type. Their order has no meaning.
 */
export function matchAlternatives(
  old: readonly Located[],
  next: readonly Located[],
  list: ChangeList,
): MatchedAlternatives {
  const pairs: (readonly [Located, Located])[] = [];
  let removed = old.map((node) => describe(node, list.oldResolve(node)));
  let added = next.map((node) => describe(node, list.newResolve(node)));
  for (const key of ['name', 'text', 'type'] as const) {
    const unmatched = new Map<string, Described[]>();
    for (const alternative of added) {
      const value = alternative[key];
      if (value !== null) unmatched.set(value, [...(unmatched.get(value) ?? []), alternative]);
    }
    const matched = new Set<Described>();
    removed = removed.filter((alternative) => {
      const value = alternative[key];
      const partner = value === null ? undefined : unmatched.get(value)?.shift();
      if (!partner) return true;
      matched.add(partner);
      pairs.push([alternative.node, partner.node]);
      return false;
    });
    added = added.filter((alternative) => !matched.has(alternative));
  }
  return { pairs, removed: removed.map(({ node }) => node), added: added.map(({ node }) => node) };
}

interface Described {
  readonly node: Located;
  readonly name: string | null;
  readonly text: string | null;
  readonly type: string | null;
}

function describe(node: Located, { value, reference }: Resolved): Described {
  const title = isObject(value) && typeof value['title'] === 'string' ? value['title'] : null;
  const type = isObject(value) && typeof value['type'] === 'string' ? value['type'] : null;
  const text = JSON.stringify(value) ?? 'null';
  return {
    node,
    name: reference === null ? title : nameOfReference(reference),
    text: text.length > 100_000 ? null : text,
    // Only alternatives without a name are paired by type.
    type: reference === null ? type : null,
  };
}
