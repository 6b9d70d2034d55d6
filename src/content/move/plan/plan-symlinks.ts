import path from 'node:path/posix';
import type { FilesToMove, PlannedText, PlannedTexts, PlannedTree } from './planned-tree.ts';

/** The new targets of relative symbolic links, so that they lead to the same file after it, or they, moved. */
export async function planSymlinks(tree: FilesToMove, { moved }: PlannedTree): Promise<PlannedTexts> {
  const texts = new Map<string, PlannedText>();
  for (const entry of tree.entries) {
    const bytes = entry.mode === 'symlink' ? await tree.read(entry) : null;
    const target = bytes === null ? '' : new TextDecoder().decode(bytes);
    if (target === '' || path.isAbsolute(target)) continue;
    const location = path.join(path.dirname(entry.path), target).replace(/\/$/, '');
    const link = moved(entry.path);
    const wanted = moved(location);
    if (location.startsWith('..') || path.join(path.dirname(link), target).replace(/\/$/, '') === wanted)
      continue;
    const slash = target.endsWith('/') ? '/' : '';
    texts.set(link, { before: target, after: (path.relative(path.dirname(link), wanted) || '.') + slash });
  }
  return texts;
}
