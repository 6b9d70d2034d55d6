import { movedSetting, writeYamlText, yamlTexts } from '../fix/index.ts';
import type { RepoPath } from '../model/index.ts';
import type { FileEdit } from '../text/index.ts';

/** The folders of spaces and the files of ignored links in a `docloom.yml`, all from the root of the repository. */
export function configureDocloom(
  file: RepoPath,
  text: string,
  moved: (path: RepoPath) => RepoPath,
): readonly FileEdit[] {
  return yamlTexts(text).flatMap((one) => {
    const [first, , key] = one.keys;
    const isFolder = first === 'spaces' && key === 'directory' && one.keys.length === 3;
    const isFile = first === 'checks' && key !== undefined && one.keys.at(-1) === 'file';
    if (one.isKey || !(isFolder || isFile)) return [];
    // Of a pattern only the folders in front are a path.
    const wild = isFolder ? -1 : one.value.search(/[*?]/);
    const path = wild === -1 ? one.value : one.value.slice(0, one.value.lastIndexOf('/', wild) + 1);
    const way = path === '' ? null : movedSetting({ from: '', newFrom: '', said: path }, moved);
    if (way === null) return [];
    return [
      {
        file,
        start: one.start,
        end: one.end,
        text: writeYamlText(text, one, way + one.value.slice(path.length)),
      },
    ];
  });
}
