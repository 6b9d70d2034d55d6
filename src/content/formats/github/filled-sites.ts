import { generatedVerdict, type LinkRules, type SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, foldersAbove, isInside, isPageFile, resolvePath } from '../../tree/index.ts';
import { type BuildFile, readBuildFiles, readProgramsOf } from '../build-files.ts';

/** Which pages the programs of a repository put into a site whose own folder of pages is not kept. */
export interface FilledSites {
  /** Changes with what says so. */
  readonly key: string;
  /** Returns the program that puts a file into a site; null for other files. */
  programFor(file: RepoPath): RepoPath | null;
}

const NO_SITES: FilledSites = { key: '', programFor: () => null };

/** Folders whose sites are those of tests and samples. */
const ASIDE = /(?:^|\/)(?:tests?|fixtures?|examples?|samples?|templates?|vendor)(?:\/|$)/i;

/** Sites beyond this number are ignored, and longer configurations. */
const MAX_SITES = 10;
const MAX_TEXT = 200_000;

/** Folders beyond this number, which programs read, are ignored. */
const MAX_FOLDERS = 200;

/**
 * Finds sites of MkDocs without a folder of pages in the repository, and the folders that the programs which name that
 * folder, and those that these name, read: what is there becomes pages beside others that only the build has.
 */
export function findFilledSites(space: SpaceInput): FilledSites {
  const { index, text } = space;
  const configs = ['mkdocs.yml', 'mkdocs.yaml']
    .flatMap((name) => index.named(name))
    .filter((path) => !ASIDE.test(path))
    .slice(0, MAX_SITES);
  const unfilled = configs.flatMap((path) => {
    const settings = text(path) ?? '';
    if (settings === '' || settings.length > MAX_TEXT) return [];
    const [, written = 'docs'] = /^docs_dir:[ \t]*["']?([\w./-]{1,200})/m.exec(settings) ?? [];
    const docs = resolvePath(path, written);
    if (!docs.inside || index.isFolder(docs.path) || index.entry(docs.path) !== undefined) return [];
    return [{ site: folderOf(path), docs: docs.path }];
  });
  if (unfilled.length === 0) return NO_SITES;
  const files = readBuildFiles(space);
  const sources = new Map<RepoPath, RepoPath>();
  for (const { site, docs } of unfilled)
    for (const [folder, program] of readFolders(files, { site, docs }, space))
      if (!sources.has(folder)) sources.set(folder, program);
  if (sources.size === 0) return NO_SITES;
  return {
    key: JSON.stringify([...sources]),
    programFor: (file) => [...sources].find(([folder]) => isInside(file, folder))?.[1] ?? null,
  };
}

/** The folders with pages that programs read which fill a site, each with the first of them. */
function readFolders(
  files: readonly BuildFile[],
  { site, docs }: { readonly site: RepoPath; readonly docs: RepoPath },
  space: SpaceInput,
): ReadonlyMap<RepoPath, RepoPath> {
  const { entries } = space;
  const filling = files.filter(
    ({ text, isProgram }) =>
      isProgram && namedFolders(text).some((folder) => folder === docs || (site !== '' && folder === site)),
  );
  const found = new Map<RepoPath, RepoPath>();
  if (filling.length === 0) return found;
  const withPages = new Set(entries.flatMap(({ path }) => (isPageFile(path) ? foldersAbove(path) : [])));
  for (const { path, text } of filling.flatMap((file) => [file, ...readProgramsOf(file, space)])) {
    for (const folder of namedFolders(text)) {
      if (found.size >= MAX_FOLDERS) return found;
      const isSource = folder.includes('/') && folder !== site && withPages.has(folder);
      if (isSource && !found.has(folder)) found.set(folder, path);
    }
  }
  return found;
}

/** The folders that the texts of a program name from the top, up to the first part that it computes. */
function namedFolders(program: string): readonly RepoPath[] {
  const folders = new Set<RepoPath>();
  for (const [, written = ''] of program.matchAll(
    /["'`]([\w.-]{1,100}(?:\/[\w.-]{1,100}){0,20}\/?)(["'`]|\$\{)/g,
  )) {
    const found = resolvePath('x', written.replace(/\/\.?$/, ''));
    if (found.inside && found.path !== '') folders.add(found.path);
  }
  return [...folders];
}

/** Rules under which what a page lacks may be beside it in the site that a program fills. */
export function withFilling(rules: LinkRules, program: RepoPath): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if ((own !== null && own.status !== 'broken') || /^[a-z][\w+.-]*:/i.test(reference.target)) return own;
      const [path] = resolution.candidates;
      return generatedVerdict(
        `${program} puts ${file} into a site with other pages, among which ${path} may be.`,
      );
    },
  };
}
