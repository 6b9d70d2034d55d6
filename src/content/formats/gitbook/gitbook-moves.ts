import {
  addYamlEntries,
  movedSetting,
  writeYamlText,
  type YamlText,
  yamlEntryLines,
  yamlTexts,
} from '../../fix/index.ts';
import type { FormatMoves, PublishedFiles, RedirectTable, SpaceMove } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { FileEdit } from '../../text/index.ts';
import { folderOf, isInside, pathInside, trimSlashes } from '../../tree/index.ts';
import { joinFolder, readSpaceConfig } from './gitbook-config.ts';
import { SITE_FILES } from './site-config.ts';

/** Updates `.gitbook.yaml` (its paths and redirects) and the site file (the folders of spaces). */
export const gitbookMoves: FormatMoves = {
  configure: (move) => ({ edits: [...spaceEdits(move), ...siteEdits(move)], notices: [] }),
  addresses: ({ pages }) => pages,
  redirects: redirectTable,
};

function spaceEdits(move: SpaceMove): FileEdit[] {
  const { repository, directory, moved } = move;
  const file = joinFolder(directory, '.gitbook.yaml');
  const text = repository.text(file);
  if (text === null) return [];
  const { root } = readSpaceConfig(repository, directory);
  return yamlTexts(text).flatMap((candidate) => {
    const [first = '', second] = candidate.keys;
    const isRoot = first === 'root' && candidate.keys.length === 1;
    const isFile =
      candidate.keys.length === 2 &&
      (first === 'structure' ? second === 'readme' || second === 'summary' : first === 'redirects');
    if (candidate.isKey || !(isRoot || isFile)) return [];
    const [path = '', tail = ''] = candidate.value.split(/(?=#)/, 2);
    const folders = isRoot
      ? { from: directory, newFrom: moved(directory) }
      : { from: root, newFrom: moved(root) };
    const newPath = movedSetting({ ...folders, written: path }, moved);
    return newPath === null ? [] : [{ file, ...replacement(text, candidate, newPath + tail) }];
  });
}

function siteEdits({ repository, moved }: SpaceMove): FileEdit[] {
  return SITE_FILES.flatMap((name) => repository.index.named(name)).flatMap((file) => {
    const text = repository.text(file) ?? '';
    return yamlTexts(text).flatMap((candidate) => {
      if (candidate.isKey || candidate.keys.at(-1) !== 'directory' || candidate.keys.at(-2) !== 'content')
        return [];
      const folders = candidate.value.startsWith('/')
        ? { from: '', newFrom: '' }
        : { from: folderOf(file), newFrom: folderOf(moved(file)) };
      const newPath = movedSetting({ ...folders, written: candidate.value }, moved);
      return newPath === null ? [] : [{ file, ...replacement(text, candidate, newPath) }];
    });
  });
}

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration: an old path, and the file it leads to. */
function redirectTable({ repository, directory }: PublishedFiles): RedirectTable | string {
  const file = joinFolder(directory, '.gitbook.yaml');
  if (
    repository.index.entry(file) === undefined &&
    repository.index.entry(joinFolder(directory, 'book.json')) !== undefined
  ) {
    return `GitBook reads no redirects from ${joinFolder(directory, 'book.json')}`;
  }
  const text = repository.text(file) ?? '';
  const { root } = readSpaceConfig(repository, directory);
  const texts = yamlTexts(text);
  const values = texts.filter(
    (candidate) => !candidate.isKey && candidate.keys.length === 2 && candidate.keys[0] === 'redirects',
  );
  return {
    file,
    entries: values.map((value) => {
      const key = texts.findLast((candidate) => candidate.isKey && candidate.start < value.start);
      return {
        from: trimSlashes(String(value.keys[1])),
        to: null,
        value,
        whole: key === undefined ? null : yamlEntryLines(text, key, value),
      };
    }),
    write: ({ from, newFile }) => [from, pathInRoot(newFile, root)],
    insert: (entries) => addYamlEntries(text, ['redirects'], entries),
    replaceValue: ({ value }, to) => ({
      ...value,
      text: writeYamlText(text, { ...value, keys: [], isKey: false, value: '' }, to),
    }),
  };
}

function pathInRoot(file: RepoPath, root: RepoPath): string {
  return isInside(file, root) ? pathInside(file, root) : file;
}

function replacement(text: string, old: YamlText, value: string) {
  return { start: old.start, end: old.end, text: writeYamlText(text, old, value) };
}
