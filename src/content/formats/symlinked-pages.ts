import { type FilesRead, generatedVerdict, type LinkRules } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { isPageFile } from '../tree/index.ts';

/**
 * Rules under which a link that leads nowhere from a file is unchecked where it leads to a file from the place of a symbolic
 * link to it, at which a builder publishes the file (`isPublished`).
 */
export function withSymlinkedPages(
  rules: LinkRules,
  files: FilesRead,
  isPublished: (path: RepoPath) => boolean,
): LinkRules {
  const placesOf = (file: RepoPath) =>
    files
      .table<null>('files behind symbolic links', function* ({ path, mode }) {
        if (mode !== 'symlink' || !isPageFile(path)) return;
        const target = files.file(path);
        if (target !== null) yield [target.path, null];
      })
      .rows(file)
      .map((row) => row.file);
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null) return own;
      for (const place of placesOf(file)) {
        if (!isPublished(place)) continue;
        const there = rules.resolve(place, reference);
        const found =
          there.kind === 'path' ? there.candidates.find((path) => files.file(path) !== null) : undefined;
        if (found !== undefined)
          return generatedVerdict(`${place} shows ${file} on a site, where the link leads to ${found}.`);
      }
      return null;
    },
  };
}
