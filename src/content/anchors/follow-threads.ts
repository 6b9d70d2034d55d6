import { type AnchorBlock, quoteOf } from './blocks-of.ts';
import { followBlocks } from './follow-blocks.ts';

/** Something that was said about a block of a page. */
export interface AnchoredThread {
  readonly id: string;
  /** The key of the block; null since its text is gone. */
  readonly node: string | null;
  /** The beginning of the text, as it was last. */
  readonly quote: string;
}

/**
 * Where each thread of a page stands after a change, in the order of `threads`. Nothing is lost: a thread whose text is gone
 * keeps its quote, and stands on it again once the text is back. `before` is null when the page was not there.
 */
export function followThreads(
  threads: readonly AnchoredThread[],
  {
    before,
    after,
  }: { readonly before: readonly AnchorBlock[] | null; readonly after: readonly AnchorBlock[] },
): readonly AnchoredThread[] {
  const successors = followBlocks(before ?? [], after);
  const taken = new Set(successors.values());
  const blocks = new Map(after.map((block) => [block.key, block]));
  // Of several blocks with the same beginning it cannot be known which one is meant.
  const byQuote = Map.groupBy(
    after.filter(({ key, text }) => text !== '' && !taken.has(key)),
    quoteOf,
  );
  return threads.map((thread) => {
    const successor = blocks.get(successors.get(thread.node ?? '') ?? '');
    if (successor !== undefined) return { ...thread, node: successor.key, quote: quoteOf(successor) };
    const same = outermostOf(byQuote.get(thread.quote) ?? []);
    return { ...thread, node: same === null ? null : same.key };
  });
}

/** A list with one item has the same text as the item and its paragraph: they follow one another, the outermost first. */
function outermostOf(found: readonly AnchorBlock[]): AnchorBlock | null {
  const [first, ...rest] = found;
  if (first === undefined) return null;
  const types = new Set(found.map(({ type }) => type));
  return types.size === rest.length + 1 ? first : null;
}
