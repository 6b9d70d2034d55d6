import { readTerms } from './read-terms.ts';

/** An issue to put into a cluster. */
export interface ClusterableIssue {
  /** Unique, and the same however often and in whatever order its conversation came. */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
}

/** How similar the issues of two clusters are on average for the clusters to be one. */
export const THRESHOLD = 0.16;
/** Of each issue, only so many of the most similar others count, so that a popular topic costs no more than its size. */
const NEIGHBOURS = 30;
/** Below it, two issues share a word by chance. */
const MIN_SIMILARITY = 0.08;
/** A word in more issues than this share tells none apart, once there are enough of them. */
const MAX_SHARE = 0.25;
const ENOUGH = 40;
/** Among very many issues the limit is lower, since the commonest words cost the most to compare. */
const MANY = 2_000;
const SHARE_OF_MANY = 0.12;
/** So many issues that differ in common words alone are compared by them, at most: each with each other one. */
const MAX_COMMON = 1_000;
/** How much a word of the title counts, where one of the summary is 1. */
const TITLE_WEIGHT = 3;
/** How much a word counts that no other issue has, where others are 1. */
const UNIQUE_WEIGHT = 0.3;
/** After so many issues or merges others get a turn. */
const STEP = 200;

type Vector = ReadonlyMap<string, number>;

/**
 * Groups issues that are about the same, by the words that they share (TF-IDF, cosine, average linkage). The result
 * depends on the set of issues alone, not on their order. Issues that resemble no other are in no cluster. Members are
 * in order of key, the most typical one first; clusters in order of their first key.
 */
export function clusterIssues(issues: readonly ClusterableIssue[]): readonly (readonly string[])[] {
  const steps = clusterInSteps(issues);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few milliseconds, between which a server answers others. */
export function* clusterInSteps(
  issues: readonly ClusterableIssue[],
): Generator<undefined, readonly (readonly string[])[]> {
  const sorted = [...issues].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const nodes = yield* readNodes(sorted);
  const links = yield* linkNodes(nodes);
  const roots = yield* mergeNodes(nodes, links);
  const members = new Map<number, { keys: string[]; nodes: number[] }>();
  for (const [index, node] of nodes.entries()) {
    const root = roots[index] ?? index;
    const cluster = members.get(root) ?? { keys: [], nodes: [] };
    cluster.keys.push(...node.keys);
    cluster.nodes.push(index);
    members.set(root, cluster);
  }
  return [...members.values()]
    .filter(({ keys }) => keys.length > 1)
    .map((cluster) => {
      const typical = findTypical(cluster.nodes.map((index) => nodes[index] as Node));
      return [typical, ...cluster.keys.filter((key) => key !== typical).sort()];
    })
    .sort((a, b) => (least(a) < least(b) ? -1 : 1));
}

const least = (keys: readonly string[]) => keys.reduce((a, b) => (b < a ? b : a));

/** Issues with the same words. */
interface Node {
  readonly keys: string[];
  readonly vector: Vector;
}

function* readNodes(sorted: readonly ClusterableIssue[]): Generator<undefined, readonly Node[]> {
  const counts: ReadonlyMap<string, number>[] = [];
  const frequency = new Map<string, number>();
  for (const [index, { title, summary }] of sorted.entries()) {
    if (index % STEP === STEP - 1) yield;
    const count = new Map<string, number>();
    for (const { stem } of readTerms(title)) count.set(stem, (count.get(stem) ?? 0) + TITLE_WEIGHT);
    for (const { stem } of summary === title ? [] : readTerms(summary))
      count.set(stem, (count.get(stem) ?? 0) + 1);
    for (const stem of count.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    counts.push(count);
  }
  const most =
    sorted.length < ENOUGH
      ? sorted.length
      : Math.min(sorted.length * MAX_SHARE, Math.max(MANY, sorted.length * SHARE_OF_MANY));
  const nodes = new Map<string, Node>();
  let commonNodes = 0;
  for (const [index, { key }] of sorted.entries()) {
    if (index % STEP === STEP - 1) yield;
    const weights = new Map<string, number>();
    const stems = [...(counts[index] ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const knownOf = (stem: string) => frequency.get(stem) ?? 1;
    // Where many ask the same, its words are common: they are all that such an issue has to be compared by.
    const isCommon = !stems.some(([stem]) => knownOf(stem) > 1 && knownOf(stem) <= most);
    for (const [stem, count] of stems) {
      const known = knownOf(stem);
      if (isCommon ? known === 1 : known > most) continue;
      // In halves of a doubling, so that a few more issues seldom change it.
      const rarity = Math.round(2 * Math.log2((sorted.length + 1) / known)) / 2;
      // A word that no other issue has makes it less similar to all of them, but says little of what it is about.
      const share = known === 1 ? UNIQUE_WEIGHT : 1;
      weights.set(stem, share * (1 + Math.log2(count)) * (rarity + 1));
    }
    if (weights.size === 0) continue;
    const signature = JSON.stringify([...weights]);
    const same = nodes.get(signature);
    if (same) same.keys.push(key);
    else if (!isCommon || commonNodes < MAX_COMMON) {
      if (isCommon) commonNodes += 1;
      nodes.set(signature, { keys: [key], vector: normalize(weights) });
    }
  }
  return [...nodes.values()];
}

function normalize(weights: ReadonlyMap<string, number>): Vector {
  let square = 0;
  for (const weight of weights.values()) square += weight * weight;
  const length = Math.sqrt(square);
  return new Map([...weights].map(([stem, weight]) => [stem, weight / length]));
}

/** By node, the nodes that resemble it, with the sum of the similarities of their issues. */
type Links = readonly Map<number, number>[];

function* linkNodes(nodes: readonly Node[]): Generator<undefined, Links> {
  const index = new Map<string, { nodes: number[]; weights: number[] }>();
  for (const [at, { vector }] of nodes.entries())
    for (const [stem, weight] of vector) {
      const postings = index.get(stem) ?? { nodes: [], weights: [] };
      postings.nodes.push(at);
      postings.weights.push(weight);
      index.set(stem, postings);
    }
  const links = nodes.map(() => new Map<number, number>());
  const similarities = new Float64Array(nodes.length);
  for (const [at, { vector, keys }] of nodes.entries()) {
    if (at % (STEP / 10) === 0) yield;
    const met: number[] = [];
    for (const [stem, weight] of vector) {
      const postings = index.get(stem);
      if (postings === undefined) continue;
      for (let nth = 0; nth < postings.nodes.length; nth++) {
        const node = postings.nodes[nth] as number;
        if (similarities[node] === 0) met.push(node);
        (similarities[node] as number) += weight * (postings.weights[nth] as number);
      }
    }
    for (const { node, similarity } of findNearest(at, met, similarities)) {
      const sum = similarity * keys.length * (nodes[node]?.keys.length ?? 1);
      links[at]?.set(node, sum);
      links[node]?.set(at, sum);
    }
    for (const node of met) similarities[node] = 0;
  }
  return links;
}

/** The nodes that are most similar to one, the most similar first, of equals the least. */
function findNearest(at: number, met: readonly number[], similarities: Float64Array) {
  const nearest: { node: number; similarity: number }[] = [];
  for (const node of met) {
    const similarity = similarities[node] as number;
    if (node === at || similarity < MIN_SIMILARITY) continue;
    const last = nearest[NEIGHBOURS - 1];
    if (last && (similarity < last.similarity || (similarity === last.similarity && node > last.node)))
      continue;
    let place = nearest.length;
    while (place > 0) {
      const before = nearest[place - 1] as { node: number; similarity: number };
      if (before.similarity > similarity || (before.similarity === similarity && before.node < node)) break;
      place -= 1;
    }
    nearest.splice(place, 0, { node, similarity });
    if (nearest.length > NEIGHBOURS) nearest.pop();
  }
  return nearest;
}

/** Merges the two most similar clusters until none are similar enough. Returns the first node of each node's cluster. */
function* mergeNodes(nodes: readonly Node[], links: Links): Generator<undefined, readonly number[]> {
  const sizes = nodes.map(({ keys }) => keys.length);
  const mergedInto = nodes.map(() => -1);
  const merges = nodes.map(() => 0);
  const queue = new MergeQueue();
  const offer = (a: number, b: number, sum: number) => {
    const similarity = sum / ((sizes[a] ?? 1) * (sizes[b] ?? 1));
    if (similarity < THRESHOLD) return;
    const [first, second] = a < b ? [a, b] : [b, a];
    queue.push({ similarity, first, second, version: (merges[first] ?? 0) + (merges[second] ?? 0) });
  };
  for (const [a, linked] of links.entries()) for (const [b, sum] of linked) if (a < b) offer(a, b, sum);
  for (let count = 1; ; count++) {
    if (count % STEP === 0) yield;
    const best = queue.pop();
    if (best === undefined) break;
    const { first, second, version } = best;
    if (mergedInto[first] !== -1 || mergedInto[second] !== -1) continue;
    // One of the two has become larger since: its similarity was offered anew.
    if ((merges[first] ?? 0) + (merges[second] ?? 0) !== version) continue;
    mergedInto[second] = first;
    sizes[first] = (sizes[first] ?? 0) + (sizes[second] ?? 0);
    merges[first] = (merges[first] ?? 0) + (merges[second] ?? 0) + 1;
    const kept = links[first] as Map<number, number>;
    kept.delete(second);
    for (const [other, sum] of links[second] as Map<number, number>) {
      links[other]?.delete(second);
      if (other === first) continue;
      kept.set(other, (kept.get(other) ?? 0) + sum);
    }
    links[second]?.clear();
    for (const [other, sum] of kept) {
      links[other]?.set(first, sum);
      offer(first, other, sum);
    }
  }
  const rootOf = (node: number): number => {
    let root = node;
    while ((mergedInto[root] ?? -1) !== -1) root = mergedInto[root] as number;
    return root;
  };
  return nodes.map((_node, index) => rootOf(index));
}

interface Merge {
  readonly similarity: number;
  readonly first: number;
  readonly second: number;
  readonly version: number;
}

/** A binary heap: the most similar first, of equals those with the lesser nodes. */
class MergeQueue {
  readonly #heap: Merge[] = [];

  push(merge: Merge): void {
    const heap = this.#heap;
    let at = heap.push(merge) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(merge, heap[parent] as Merge)) break;
      heap[at] = heap[parent] as Merge;
      at = parent;
    }
    heap[at] = merge;
  }

  pop(): Merge | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Merge, heap[child] as Merge)) child += 1;
      if (!isBefore(heap[child] as Merge, last)) break;
      heap[at] = heap[child] as Merge;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

function isBefore(a: Merge, b: Merge): boolean {
  if (a.similarity !== b.similarity) return a.similarity > b.similarity;
  return a.first !== b.first ? a.first < b.first : a.second < b.second;
}

/** The issue that is most similar to all of them; of equals the one with the least key. */
function findTypical(nodes: readonly Node[]): string {
  const sum = new Map<string, number>();
  for (const { vector, keys } of nodes)
    for (const [stem, weight] of vector) sum.set(stem, (sum.get(stem) ?? 0) + weight * keys.length);
  let best = { score: -1, key: '' };
  for (const { vector, keys } of nodes) {
    let score = 0;
    for (const [stem, weight] of vector) score += weight * (sum.get(stem) ?? 0);
    if (score > best.score) best = { score, key: keys[0] ?? '' };
  }
  return best.key;
}
