import type { Link } from '../../content/index.ts';
import type { StoredTarget } from '../../store/index.ts';

/** Where a destination of a page's front matter leads, as its link was judged; addresses elsewhere are as written. */
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
