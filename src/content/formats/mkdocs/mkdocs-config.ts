import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { folderOf, type GitignoreMatcher, matchPathPatterns, type TreeIndex } from '../../tree/index.ts';
import { asList, asRecord, asText } from '../untyped-values.ts';
import { type BuildScript, findAssembly, readBuildScript } from './build-script.ts';
import { type CopyingHook, copyingHooks } from './copied-by-hooks.ts';
import { type HeadingOptions, headingOptions } from './heading-options.ts';
import { loadConfig, pathFrom } from './load-config.ts';
import { type Locales, readLocales } from './locales.ts';
import { type PageParts, readPageParts } from './page-parts.ts';
import {
  type Generator,
  mkdocsGenerator,
  plainName,
  readExcluded,
  readGenerator,
  readNavFileName,
  readPosts,
  readRedirectMap,
} from './plugins.ts';
import { type Named, namedEntries } from './yaml-values.ts';

export type { HeadingOptions } from './heading-options.ts';

/** The settings of `mkdocs.yml` that decide which pages exist and where links lead. */
export interface MkdocsConfig {
  readonly file: RepoPath;
  readonly title: string | null;
  /** Null when it is outside the repository. */
  readonly docsFolder: RepoPath | null;
  /**
   * The folder of pages in another language from which the build takes what this one lacks; null when there is none.
   */
  readonly standardDocs: RepoPath | null;
  /** The configurations that it inherits from, nearest first. */
  readonly inherits: readonly RepoPath[];
  /** Whether pages are published as folders (`a/` for `a.md`). */
  readonly directoryUrls: boolean;
  /**
   * The path of the site on its host, without leading and trailing slashes; null when the configuration does not set
   * it.
   */
  readonly basePath: string | null;
  readonly host: string | null;
  /** Whether the site's address is the parent of several versions, so that links from the root name one of them. */
  readonly hasVersions: boolean;
  /** Whether a link that begins with a slash starts at the folder of pages. */
  readonly absoluteFromDocs: boolean;
  /** Takes the path inside the folder of pages. */
  readonly isExcluded: GitignoreMatcher;
  readonly locales: Locales | null;
  readonly nav: unknown;
  /** Whether an entry of the navigation that begins with a slash starts at the folder of pages. */
  readonly navFromDocs: boolean;
  /** The file whose `nav` is used; null when no file has one. */
  readonly navFile: RepoPath | null;
  /** The name of files that list the navigation of their folder; null when no plugin reads them. */
  readonly navFileName: string | null;
  /** The file whose `plugins` are used; null when no file has any. */
  readonly pluginsFile: RepoPath | null;
  /** Old page → its new destination, both as the configuration writes them. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly headings: HeadingOptions;
  /** Folders in which included files are searched; null when the configuration cannot be read statically. */
  readonly snippetFolders: readonly RepoPath[] | null;
  /** Folder with additional files of the theme. */
  readonly themeFolder: RepoPath | null;
  /** Whether links may stand for the files of code that they name, which are shown in their place. */
  readonly includesCode: boolean;
  /** How pages take in others; null when they do not. */
  readonly pageParts: PageParts;
  /** What may add files that the repository does not contain; null when nothing does. */
  readonly generates: Generator | null;
  /** Hooks that copy folders of the repository between the pages. */
  readonly copyingHooks: readonly CopyingHook[];
  /** The script with which a host builds the site; null where it runs MkDocs itself. */
  readonly script: BuildScript | null;
  /** The task or script that copies the configuration elsewhere and has the site built there; null when there is none. */
  readonly assembly: RepoPath | null;
  /** Identifies what may add files and anchors that the repository does not contain. */
  generator(index: TreeIndex): string;
  /** Whether a file is a post, whose address contains its date. Takes the path inside the folder of pages. */
  readonly isPost: (path: string) => boolean;
  readonly problems: readonly FileProblem[];
}

/** Reads the configuration at `file` and those that it inherits from. */
export function readMkdocsConfig(
  file: RepoPath,
  repository: Pick<RepositoryFiles, 'text' | 'yaml' | 'folderAt'>,
): MkdocsConfig {
  const { values, texts, parents, problems, fileOf, missingParent } = loadConfig(file, repository);
  const folder = folderOf(file);
  const inFolder = (path: string) => pathFrom(folder, path);
  const writtenFolder = inFolder(asText(values['docs_dir']) ?? 'docs');
  const docsFolder = writtenFolder === null ? null : repository.folderAt(writtenFolder);
  const extensions = namedEntries(values['markdown_extensions']);
  const plugins = namedEntries(values['plugins']);
  const site = siteOf(values['site_url']);
  const theme = asText(asRecord(values['theme'])['custom_dir']);
  const version = asRecord(asRecord(values['extra'])['version']);
  const script = readBuildScript(folder, docsFolder, repository);
  const assembly = findAssembly(folder, repository);
  // These are never published; later lines may include them again.
  const patterns = [
    '.*',
    '/templates/',
    patternsOf(values['exclude_docs']),
    patternsOf(values['draft_docs']),
    ...readExcluded(plugins),
  ];
  return {
    file,
    title: asText(values['site_name']),
    docsFolder,
    standardDocs: null,
    inherits: parents,
    directoryUrls: values['use_directory_urls'] !== false,
    basePath: site?.path ?? null,
    host: site?.host ?? null,
    hasVersions: version['provider'] === 'mike' || plugins.some((plugin) => plainName(plugin) === 'mike'),
    absoluteFromDocs: absoluteLinks(values['validation'], 'links'),
    isExcluded: matchPathPatterns(patterns.join('\n')),
    locales: readLocales(plugins),
    nav: values['nav'],
    navFromDocs: absoluteLinks(values['validation'], 'nav'),
    navFile: fileOf('nav'),
    navFileName: readNavFileName(plugins),
    pluginsFile: fileOf('plugins'),
    redirects: readRedirectMap(plugins),
    headings:
      missingParent === null
        ? headingOptions(extensions, plugins, values['hooks'], texts)
        : { ...headingOptions(extensions, plugins, values['hooks'], texts), slugs: 'unknown' },
    snippetFolders: snippetFolders(extensions, folder, docsFolder),
    themeFolder: theme === null ? null : inFolder(theme),
    includesCode: plugins.some((plugin) => plainName(plugin) === 'codeinclude'),
    pageParts: readPageParts(plugins, extensions),
    generates:
      missingParent === null
        ? readGenerator(plugins, values['hooks'], inFolder, repository)
        : { what: `what ${file} inherits from ${missingParent}`, mayMake: () => true },
    copyingHooks: copyingHooks(values['hooks'], inFolder, repository),
    script,
    assembly,
    generator: (index) =>
      `${mkdocsGenerator(values, plugins, inFolder, index)} ${script?.text ?? ''} ${assembly ?? ''}`,
    isPost: readPosts(plugins),
    problems,
  };
}

/** Whether `absolute_links` of a part of the validation, or else of the whole, is `relative_to_docs`. */
function absoluteLinks(validation: unknown, part: 'links' | 'nav'): boolean {
  const all = asRecord(validation);
  return (asRecord(all[part])['absolute_links'] ?? all['absolute_links']) === 'relative_to_docs';
}

function siteOf(value: unknown): { readonly host: string; readonly path: string } | null {
  const text = asText(value);
  if (text === null || !URL.canParse(text)) return null;
  const { host, pathname } = new URL(text);
  return { host, path: pathname.split('/').filter(Boolean).join('/') };
}

function patternsOf(value: unknown): string {
  return asText(value) ?? asList(value).map(asText).join('\n');
}

function snippetFolders(
  extensions: readonly Named[],
  folder: RepoPath,
  docsFolder: RepoPath | null,
): readonly RepoPath[] | null {
  const options = extensions.find((extension) => extension.name === 'pymdownx.snippets')?.options ?? {};
  const basePath = options['base_path'];
  const paths =
    basePath === undefined ? ['.'] : typeof basePath === 'string' ? [basePath] : asList(basePath).map(asText);
  const folders = paths.map((path) => {
    if (path === null) return null;
    if (path.startsWith('$docs_dir'))
      return docsFolder === null ? null : pathFrom(docsFolder, `.${path.slice(9)}`);
    return pathFrom(folder, path.replace(/^\$config_dir/, '.'));
  });
  const known = folders.filter((candidate) => candidate !== null);
  return known.length === folders.length ? known : null;
}
