import {
  addYamlEntries,
  movedSetting,
  writeYamlText,
  type YamlText,
  yamlEntryLines,
  yamlTexts,
} from '../../fix/index.ts';
import {
  type ConfigurationChange,
  type FormatMoves,
  lineAt,
  type MoveNotice,
  type PublishedFiles,
  type RedirectTable,
  type RepositoryFiles,
  type SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { FileEdit } from '../../text/index.ts';
import { folderOf, isInside, pathInside, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { tablesOfEntries } from '../tables-of-entries.ts';
import { readMkdocsConfig } from './mkdocs-config.ts';
import { publishSite, siteAddressOf } from './published-site.ts';

/**
 * Updates `mkdocs.yml` and the files that it inherits from: paths, `nav`, and the maps of the plugin mkdocs-redirects.
 */
export const mkdocsMoves: FormatMoves = { configure, addresses, redirects };

/** Settings that are paths relative to the configuration's folder, and those relative to the folder of pages. */
const FROM_CONFIG =
  /^(?:docs_dir|INHERIT|theme\.custom_dir|hooks\.\d+|markdown_extensions\..*base_path(?:\.\d+)?)$/;
const FROM_DOCS = /^(?:nav\..+|extra_css\.\d+|extra_javascript\.\d+(?:\.path)?|theme\.(?:logo|favicon))$/;
const REDIRECT = /^plugins\.(?:\d+\.)?redirects\.redirect_maps\./;

const MAX_PARENTS = 5;

function configure(move: SpaceMove): ConfigurationChange {
  const { repository, directory, moved } = move;
  const own = configFile(repository, directory);
  const docs = readMkdocsConfig(own, repository).docsFolder;
  if (docs === null) return { edits: [], notices: [] };
  const edits: FileEdit[] = [];
  const notices: MoveNotice[] = [];
  for (const file of withParents(own, repository)) {
    const text = repository.text(file) ?? '';
    const fromConfig = { from: folderOf(file), newFrom: folderOf(moved(file)) };
    const fromDocs = { from: docs, newFrom: moved(docs) };
    const texts = yamlTexts(text);
    for (const candidate of texts) {
      const name = candidate.keys.join('.');
      const folders = FROM_CONFIG.test(name)
        ? fromConfig
        : FROM_DOCS.test(name) || REDIRECT.test(name)
          ? fromDocs
          : null;
      if (candidate.isKey || folders === null) continue;
      const [path = '', tail = ''] = candidate.value.split(/(?=#)/, 2);
      const newPath = movedSetting({ ...folders, written: path }, moved);
      if (newPath === null) continue;
      if (newPath.startsWith('..') && folders === fromDocs && name.startsWith('nav.')) {
        notices.push({
          file,
          line: lineAt(text, candidate.start),
          message: `${candidate.value} leaves the folder of pages. Remove it from the navigation`,
        });
      } else
        edits.push({
          file,
          start: candidate.start,
          end: candidate.end,
          text: writeYamlText(text, candidate, newPath + tail),
        });
    }
    const newDocs = movedSetting({ ...fromConfig, written: 'docs' }, moved);
    if (
      file === own &&
      newDocs !== null &&
      docs === joinPath(directory, 'docs') &&
      !texts.some((candidate) => candidate.isKey && candidate.value === 'docs_dir')
    ) {
      const added = addYamlEntries(text, [], [['docs_dir', newDocs]]);
      if (added !== null) edits.push({ file, ...added });
    }
    notices.push(...patternNotices(move, docs, file, text));
  }
  return { edits, notices };
}

/** A pattern may match several files, so it is reported instead of edited. */
function patternNotices(
  { repository, moved }: SpaceMove,
  docs: RepoPath,
  file: RepoPath,
  text: string,
): MoveNotice[] {
  if (moved(docs) !== docs) return [];
  const blocks = /^(?:exclude_docs|draft_docs|not_in_nav):[^\n]*\n(?:[ \t]+[^\n]*\n?|\s*\n)*/gm;
  return [...text.matchAll(blocks)].flatMap((block) =>
    block[0].split('\n').flatMap((line, at): MoveNotice[] => {
      const name = line.replace(/^\s*!?|[/*\s]+$/g, '').replace(/^\//, '');
      const path = joinPath(docs, name);
      if (name === '' || /[*?[:]/.test(name) || !repository.index.has(path) || moved(path) === path)
        return [];
      return [
        {
          file,
          line: lineAt(text, block.index) + at,
          message: `${line.trim()} names a path that moved. Change the pattern`,
        },
      ];
    }),
  );
}

function addresses({ repository, directory }: PublishedFiles): ReadonlyMap<RepoPath, string> {
  const config = readMkdocsConfig(configFile(repository, directory), repository);
  const inside = repository.tree.filter(({ path }) => isInside(path, directory));
  const site = publishSite(tablesOfEntries(inside), config);
  const found = new Map<RepoPath, string>();
  for (const { path } of repository.tree) {
    const address = /\.(?:md|markdown|mdown|mkdn?|mkd)$/.test(path) ? site.addressOf(path) : null;
    if (address !== null) found.set(path, address.replace(/(?:^|\/)index\.html$/, ''));
  }
  return found;
}

/** https://github.com/mkdocs/mkdocs-redirects: old page → new page, both as files of the folder of pages. */
function redirects({ repository, directory }: PublishedFiles): RedirectTable | string {
  const file = configFile(repository, directory);
  const text = repository.text(file) ?? '';
  const { docsFolder, directoryUrls } = readMkdocsConfig(file, repository);
  const texts = yamlTexts(text);
  const key = texts.find(
    (candidate) =>
      candidate.isKey && candidate.value === 'redirect_maps' && candidate.keys.at(-1) === 'redirects',
  );
  if (key === undefined) return `${file} does not use the maps of the plugin “redirects”`;
  const values = texts.filter(
    (candidate) =>
      !candidate.isKey &&
      REDIRECT.test(`${candidate.keys.join('.')}.`) &&
      candidate.keys.length === key.keys.length + 2,
  );
  const addressOf = (page: string) => siteAddressOf(page, directoryUrls).replace(/(?:^|\/)index\.html$/, '');
  return {
    file,
    entries: values.map((value) => {
      const name = texts.findLast((candidate) => candidate.isKey && candidate.start < value.start);
      const whole = name === undefined ? null : yamlEntryLines(text, name, value);
      return { from: addressOf(String(value.keys.at(-1))), to: null, value, whole };
    }),
    write: ({ oldFile, newFile }) => [inDocs(oldFile, docsFolder), inDocs(newFile, docsFolder)],
    insert: (entries) => addYamlEntries(text, [...key.keys.map(String), 'redirect_maps'], entries),
    replaceValue: ({ value }, to) => ({ ...value, text: writeYamlText(text, value as YamlText, to) }),
  };
}

function inDocs(file: RepoPath, docs: RepoPath | null): string {
  return docs !== null && isInside(file, docs) ? pathInside(file, docs) : file;
}

function withParents(own: RepoPath, repository: RepositoryFiles): readonly RepoPath[] {
  const files: RepoPath[] = [];
  let next: RepoPath | null = own;
  while (next !== null && files.length <= MAX_PARENTS && !files.includes(next)) {
    const file: RepoPath = next;
    files.push(file);
    const parent = yamlTexts(repository.text(file) ?? '').find(
      (candidate) => !candidate.isKey && candidate.keys.join('.') === 'INHERIT',
    );
    const found = parent === undefined ? null : resolvePath(file, parent.value);
    next = found?.inside === true ? found.path : null;
  }
  return files.filter((file) => repository.text(file) !== null);
}

function configFile({ index }: RepositoryFiles, directory: RepoPath): RepoPath {
  const [standard = '', alternative = ''] = ['mkdocs.yml', 'mkdocs.yaml'].map((name) =>
    joinPath(directory, name),
  );
  return index.entry(standard) === undefined && index.entry(alternative) !== undefined
    ? alternative
    : standard;
}
