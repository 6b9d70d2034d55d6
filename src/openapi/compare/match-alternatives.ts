import { isObject } from '../pointer.ts';
import { type Located, nameOfReference, type Resolved } from '../resolve-reference.ts';
import type { ChangeList } from './change-list.ts';

export interface MatchedAlternatives {
  readonly pairs: readonly (readonly [Located, Located])[];
  readonly removed: readonly Located[];
  readonly added: readonly Located[];
}

/**
 * Which alternative became which: by what they are called, then by what they say, then by their type where that leaves no
 * choice. The order means nothing.
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
    const waiting = new Map<string, Described[]>();
    for (const one of added) {
      const value = one[key];
      if (value !== null) waiting.set(value, [...(waiting.get(value) ?? []), one]);
    }
    const taken = new Set<Described>();
    removed = removed.filter((one) => {
      const partner = one[key] === null ? undefined : waiting.get(one[key])?.shift();
      if (!partner) return true;
      taken.add(partner);
      pairs.push([one.node, partner.node]);
      return false;
    });
    added = added.filter((one) => !taken.has(one));
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
    // Objects without a name are told apart by nothing.
    type: reference === null ? type : null,
  };
}
