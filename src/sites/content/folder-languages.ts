import type { FolderChoice, SettingRow } from '../../store/index.ts';

/** The languages that a builder publishes in one space, each but the default one below a folder of its addresses. */
export interface FolderLanguages {
  /** The language whose pages are shown where others are not translated. Its folder may be empty. */
  readonly standard: { readonly folder: string; readonly language: string };
  /** The tags of the others, by their folders. */
  readonly others: ReadonlyMap<string, string>;
}

/** Null where there is nothing that is translated, or nothing to translate. */
export function folderLanguagesOf(
  rows: readonly Pick<SettingRow, 'kind' | 'name' | 'value'>[],
): FolderLanguages | null {
  const standard = rows.find(({ kind }) => kind === 'default-language');
  const others = rows.filter(({ kind, name }) => kind === 'language' && name !== '');
  if (standard === undefined || others.length === 0) return null;
  return {
    standard: { folder: standard.name, language: standard.value },
    others: new Map(others.map(({ name, value }) => [name, value])),
  };
}

/** The folder of the language of a path; null for one of the default language, and of a space with only one. */
export function languageFolderOf(languages: FolderLanguages | null, path: string): string | null {
  const [folder = ''] = path.split('/', 1);
  return languages?.others.has(folder) === true ? folder : null;
}

/** The folder of one of the languages beside the default one; null for every other. */
export function folderOfLanguage(languages: FolderLanguages | null, tag: string | null): string | null {
  const found = [...(languages?.others ?? [])].find(([, language]) => language === tag);
  return found === undefined ? null : found[0];
}

/** Where the pages of a language are, or those of the default language where it has none; null where there is only one. */
export function foldersIn(languages: FolderLanguages | null, language: string | null): FolderChoice | null {
  if (languages === null) return null;
  const names = [...languages.others].flatMap(([folder, tag]) => (tag === language ? [folder] : []));
  return names.length > 0
    ? { names, isExcluding: false }
    : { names: [...languages.others.keys()], isExcluding: true };
}

/** The path at which the page of a path of the default language is in another one; null for paths of other languages. */
export function pathInFolder(languages: FolderLanguages, folder: string, path: string): string | null {
  const { standard, others } = languages;
  const [first = ''] = path.split('/', 1);
  if (others.has(first)) return null;
  if (standard.folder === '') return joined(folder, path);
  return first === standard.folder ? joined(folder, path.slice(first.length + 1)) : null;
}

/** The path of the default language whose page belongs at a path of another one. */
export function standardPathOf({ standard, others }: FolderLanguages, path: string): string | null {
  const [folder = ''] = path.split('/', 1);
  if (!others.has(folder)) return null;
  const rest = joined(standard.folder, path.slice(folder.length + 1));
  const [first = ''] = rest.split('/', 1);
  return others.has(first) ? null : rest;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}
