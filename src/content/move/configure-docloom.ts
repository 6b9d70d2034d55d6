import { movedSetting, writeYamlText, yamlTexts } from '../fix/index.ts';
import type { RepoPath } from '../model/index.ts';
import type { FileEdit } from '../text/index.ts';

/** Edits for the paths in a `docloom.yml` after a move: folders of spaces and files of ignored links, all relative to the root of the repository. */
export function configureDocloom(
  file: RepoPath,
  text: string,
  moved: (path: RepoPath) => RepoPath,
): readonly FileEdit[] {
  return yamlTexts(text).flatMap((entry) => {
    const [first, , key] = entry.keys;
    const isFolder = first === 'spaces' && key === 'directory' && entry.keys.length === 3;
    const isFile = first === 'checks' && key !== undefined && entry.keys.at(-1) === 'file';
    if (entry.isKey || !(isFolder || isFile)) return [];
    // In a pattern only the folders before the first wildcard are a path.
    const wild = isFolder ? -1 : entry.value.search(/[*?]/);
    const path = wild === -1 ? entry.value : entry.value.slice(0, entry.value.lastIndexOf('/', wild) + 1);
    const newPath = path === '' ? null : movedSetting({ from: '', newFrom: '', written: path }, moved);
    if (newPath === null) return [];
    return [
      {
        file,
        start: entry.start,
        end: entry.end,
        text: writeYamlText(text, entry, newPath + entry.value.slice(path.length)),
      },
    ];
  });
}
