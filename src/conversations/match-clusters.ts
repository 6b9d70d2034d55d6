/**
 * The id of the earlier cluster that each cluster goes on: the one with which it has the most members in common. Each
 * earlier one goes on in one cluster at most; null for a new one.
 */
export function matchClusters(
  earlier: ReadonlyMap<string, string>,
  clusters: readonly (readonly string[])[],
): readonly (string | null)[] {
  const overlaps: { id: string; cluster: number; common: number }[] = [];
  for (const [cluster, members] of clusters.entries()) {
    const common = new Map<string, number>();
    for (const member of members) {
      const id = earlier.get(member);
      if (id !== undefined) common.set(id, (common.get(id) ?? 0) + 1);
    }
    for (const [id, count] of common) overlaps.push({ id, cluster, common: count });
  }
  overlaps.sort(
    (a, b) => b.common - a.common || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.cluster - b.cluster),
  );
  const ids: (string | null)[] = clusters.map(() => null);
  const taken = new Set<string>();
  for (const { id, cluster } of overlaps) {
    if (ids[cluster] !== null || taken.has(id)) continue;
    ids[cluster] = id;
    taken.add(id);
  }
  return ids;
}
