import type { Link } from '../../content/index.ts';
import type { StoredTarget } from '../../store/index.ts';

/** The target of a destination in a page's front matter, as its link was checked; outside addresses are as written. */
export function findTarget(
  links: readonly Link[],
  target: string,
  fileIds: ReadonlyMap<string, string>,
): StoredTarget | null {
  if (/^https?:\/\//i.test(target)) return { url: target };
  const link = links.find((candidate) => candidate.kind === 'front-matter' && candidate.target === target);
  const path = link === undefined || link.status === 'broken' ? undefined : link.resolved?.path;
  const file = path === undefined ? undefined : fileIds.get(path);
  return file === undefined ? null : { file };
}
