import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** Whether the project in a folder builds with VitePress 1 or older, by the nearest `package.json` that names it. */
export function isFirstVitepress(repository: Pick<RepositoryFiles, 'text'>, project: RepoPath): boolean {
  for (let folder = project; ; folder = folderOf(folder)) {
    const text = repository.text(joinPath(folder, 'package.json')) ?? '';
    const range = /"vitepress"\s*:\s*"([^"\n]{1,100})"/.exec(text)?.[1];
    // The range may also name a catalog or a workspace, which says nothing.
    if (range !== undefined) return /^[~^=v<\s]*[01](?:\.|$)/.test(range.trim()) && !/\|\||>|-\s/.test(range);
    if (folder === '') return false;
  }
}
