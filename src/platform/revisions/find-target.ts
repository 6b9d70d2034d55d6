import type { Link } from '../../content/index.ts';
import type { StoredTarget } from '../../store/index.ts';

/** The stored target of a link in a page's front matter; null if it is broken. External addresses are stored as written. */
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
