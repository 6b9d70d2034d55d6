import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { resolvePath, trimSlashes } from '../../tree/index.ts';
import type { FileValues } from '../../yaml/index.ts';
import { isRecord } from '../untyped-values.ts';

/**
 * The settings of one space from `.gitbook.yaml` (or the older `book.json`); all paths start at the repository's root.
 */
export interface GitbookSpaceConfig {
  /** The folder of the content, without leading and trailing slashes. */
  readonly root: RepoPath;
  readonly readme: RepoPath;
  readonly summary: RepoPath;
  /** Old path in the published space, without leading and trailing slashes → path of the file that it leads to now. */
  readonly redirects: ReadonlyMap<string, RepoPath>;
  readonly problems: readonly FileProblem[];
}

export const GITBOOK_CONFIG_FILE = '.gitbook.yaml';
const INVISIBLE = /[\u{200b}-\u{200d}\u{2060}\u{feff}]/u;

/** Reads a space's configuration; returns the defaults when it is missing, empty or invalid. */
export function readSpaceConfig(
  files: Pick<RepositoryFiles, 'index' | 'yaml'>,
  directory: RepoPath,
): GitbookSpaceConfig {
  const file = joinFolder(directory, GITBOOK_CONFIG_FILE);
  const own = files.yaml(file);
  const problems: FileProblem[] = [];
  const addProblem = (message: string) => problems.push({ file, message, line: null });
  const values =
    own === null
      ? readBookJson(files.yaml(joinFolder(directory, 'book.json')))
      : readSettings(own, addProblem);
  const root = pathBelow(directory, values.root ?? './') ?? directory;
  const existingFile = (key: 'readme' | 'summary', standard: string): RepoPath => {
    const configured = values[key];
    const path = configured === undefined ? null : pathBelow(root, configured);
    if (path !== null && files.index.entry(path) !== undefined) return path;
    if (configured !== undefined)
      addProblem(`structure.${key} names ${configured}, which is not there; ${standard} is used.`);
    return joinFolder(root, standard);
  };
  return {
    root,
    readme: existingFile('readme', 'README.md'),
    summary: existingFile('summary', 'SUMMARY.md'),
    redirects: readRedirects(values.redirects, root),
    problems,
  };
}

interface Values {
  readonly root?: string;
  readonly readme?: string;
  readonly summary?: string;
  readonly redirects?: unknown;
}

function readSettings(file: FileValues, addProblem: (message: string) => void): Values {
  const value = validYaml(file);
  if (value === undefined) addProblem('The file is not valid YAML, so the defaults are used.');
  if (!isRecord(value)) return {};
  const known = withoutInvisible(value, addProblem);
  const structure = isRecord(known['structure']) ? withoutInvisible(known['structure'], addProblem) : {};
  return {
    ...textAs('root', known['root']),
    ...textAs('readme', structure['readme']),
    ...textAs('summary', structure['summary']),
    redirects: known['redirects'],
  };
}

/** GitBook ignores keys and values with invisible characters (usually pasted), and nobody sees why. */
function withoutInvisible(
  values: Readonly<Record<string, unknown>>,
  addProblem: (message: string) => void,
): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (INVISIBLE.test(key) || (typeof value === 'string' && INVISIBLE.test(value))) {
      addProblem(
        `“${key.replace(INVISIBLE, '')}” holds an invisible character and is ignored. Type it again by hand.`,
      );
    } else {
      clean[key] = value;
    }
  }
  return clean;
}

function readBookJson(file: FileValues | null): Values {
  if (file === null) return {};
  const value = validYaml(file);
  const structure = isRecord(value) && isRecord(value['structure']) ? value['structure'] : {};
  return {
    ...(isRecord(value) ? textAs('root', value['root']) : {}),
    ...textAs('readme', structure['readme']),
    ...textAs('summary', structure['summary']),
  };
}

/** By the values of a configuration, which may have tens of thousands and are read by detection and for each space, and by root. */
const redirectsRead = new WeakMap<object, Map<RepoPath, ReadonlyMap<string, RepoPath>>>();

function readRedirects(value: unknown, root: RepoPath): ReadonlyMap<string, RepoPath> {
  if (!isRecord(value)) return new Map();
  const byRoot = redirectsRead.get(value) ?? new Map<RepoPath, ReadonlyMap<string, RepoPath>>();
  redirectsRead.set(value, byRoot);
  const redirects = byRoot.get(root) ?? redirectsIn(value, root);
  byRoot.set(root, redirects);
  return redirects;
}

function redirectsIn(
  value: Readonly<Record<string, unknown>>,
  root: RepoPath,
): ReadonlyMap<string, RepoPath> {
  const redirects = new Map<string, RepoPath>();
  for (const [from, to] of Object.entries(value)) {
    const path = typeof to === 'string' ? pathBelow(root, to.replace(/#[\s\S]*$/, '')) : null;
    if (path !== null) redirects.set(trimSlashes(from), path);
  }
  return redirects;
}

/** Resolves a path of the configuration below `folder`; null when it leads out of it. */
function pathBelow(folder: RepoPath, path: string): RepoPath | null {
  const resolution = resolvePath('', path.replace(/^\/+/, ''));
  return resolution.inside ? joinFolder(folder, resolution.path) : null;
}

/** The values of a file; undefined when it is invalid, null when it is empty or there is none. */
export function validYaml(file: FileValues | null): unknown {
  if (file === null) return null;
  return file.error === null && file.isRead ? (file.values ?? null) : undefined;
}

/** Joins a folder and a path below it; returns the folder if the path is empty. */
export function joinFolder(folder: RepoPath, path: RepoPath): RepoPath {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

function textAs<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { readonly [K in Key]: string }) : {};
}
