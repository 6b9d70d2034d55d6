import type { CheckedLink } from '../check-result.ts';

/** Up to this many links to one missing destination, each has a row. */
const MAX_ROWS = 10;

export interface GroupedLinks {
  readonly link: CheckedLink;
  /** How many other links with the same fault stand for this one; 0 for most. */
  readonly others: number;
  /** How many files the others are in. */
  readonly files: number;
}

/**
 * The rows of broken links: many links to the same missing destination, such as one heading that every page of a reference
 * names, are one row at the first of them.
 */
export function groupAlike(links: readonly CheckedLink[]): readonly GroupedLinks[] {
  const groups = [...Map.groupBy(links, keyOf).values()];
  const many = groups.filter((group) => group.length > MAX_ROWS);
  const hidden = new Set(many.flatMap((group) => group.slice(1)));
  const groupOf = new Map(many.map((group) => [group[0], group]));
  return links.flatMap((link) => {
    if (hidden.has(link)) return [];
    const others = groupOf.get(link)?.slice(1) ?? [];
    return { link, others: others.length, files: new Set(others.map(({ file }) => file)).size };
  });
}

/** What is wrong with which destination; links without a destination of the repository are told apart by their text. */
function keyOf({ rule, destination, anchor, file, target }: CheckedLink): string {
  return JSON.stringify([rule, destination ?? [file, target], anchor]);
}
