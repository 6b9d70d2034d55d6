import type { Link } from '../model/index.ts';

/** Says how many links of a change could not be checked, and why one of them could not, in at most two sentences. */
export function explainUnjudged({
  count,
  example,
}: {
  readonly count: number;
  readonly example: Pick<Link, 'target' | 'message'>;
}): string {
  const why = example.message ?? 'Its target is not known.';
  return count === 1
    ? `One link of this change, to ${example.target}, could not be checked. ${why}`
    : `${count} links of this change could not be checked, among them one to ${example.target}. ${why}`;
}
