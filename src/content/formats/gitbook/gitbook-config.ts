import { parseDocument } from 'yaml';
import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { resolvePath, trimSlashes } from '../../tree/index.ts';

/** What `.gitbook.yaml` (or the older `book.json`) says of one space; every path is the repository's. */
export interface GitbookSpaceConfig {
  /** The folder of the content, without slashes at the ends. */
  readonly root: RepoPath;
  readonly readme: RepoPath;
  readonly summary: RepoPath;
  /** Old path of the published space, without slashes at the ends → path of the file that it leads to now. */
  readonly redirects: ReadonlyMap<string, RepoPath>;
  readonly problems: readonly FileProblem[];
}

export const GITBOOK_CONFIG_FILE = '.gitbook.yaml';
const INVISIBLE = /[\u{200b}-\u{200d}\u{2060}\u{feff}]/u;

/** Reads a space's configuration; the defaults where there is none, it is empty or it cannot be used. */
export function readSpaceConfig(
  files: Pick<RepositoryFiles, 'index' | 'text'>,
  directory: RepoPath,
): GitbookSpaceConfig {
  const file = joinFolder(directory, GITBOOK_CONFIG_FILE);
  const text = files.text(file);
  const problems: FileProblem[] = [];
  const complain = (message: string) => problems.push({ file, message, line: null });
  const values =
    text === null ? readBookJson(files.text(joinFolder(directory, 'book.json'))) : readYaml(text, complain);
  const root = inside(directory, values.root ?? './') ?? directory;
  const existing = (key: 'readme' | 'summary', standard: string): RepoPath => {
    const said = values[key];
    const path = said === undefined ? null : inside(root, said);
    if (path !== null && files.index.entry(path) !== undefined) return path;
    if (said !== undefined)
      complain(`structure.${key} names ${said}, which is not there; ${standard} is used.`);
    return joinFolder(root, standard);
  };
  return {
    root,
    readme: existing('readme', 'README.md'),
    summary: existing('summary', 'SUMMARY.md'),
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

function readYaml(text: string, complain: (message: string) => void): Values {
  const value = parseYaml(text);
  if (value === undefined) complain('The file is not valid YAML, so the defaults are used.');
  if (!isRecord(value)) return {};
  const known = withoutInvisible(value, complain);
  const structure = isRecord(known['structure']) ? withoutInvisible(known['structure'], complain) : {};
  return {
    ...textAs('root', known['root']),
    ...textAs('readme', structure['readme']),
    ...textAs('summary', structure['summary']),
    redirects: known['redirects'],
  };
}

/** Keys and values that were pasted with invisible characters mean nothing to GitBook; nobody sees why. */
function withoutInvisible(
  values: Readonly<Record<string, unknown>>,
  complain: (message: string) => void,
): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (INVISIBLE.test(key) || (typeof value === 'string' && INVISIBLE.test(value))) {
      complain(
        `“${key.replace(INVISIBLE, '')}” holds an invisible character and is ignored. Type it again by hand.`,
      );
    } else {
      clean[key] = value;
    }
  }
  return clean;
}

function readBookJson(text: string | null): Values {
  if (text === null) return {};
  const value = parseYaml(text);
  const structure = isRecord(value) && isRecord(value['structure']) ? value['structure'] : {};
  return {
    ...(isRecord(value) ? textAs('root', value['root']) : {}),
    ...textAs('readme', structure['readme']),
    ...textAs('summary', structure['summary']),
  };
}

function readRedirects(value: unknown, root: RepoPath): ReadonlyMap<string, RepoPath> {
  const redirects = new Map<string, RepoPath>();
  if (!isRecord(value)) return redirects;
  for (const [from, to] of Object.entries(value)) {
    const path = typeof to === 'string' ? inside(root, to.replace(/#[\s\S]*$/, '')) : null;
    if (path !== null) redirects.set(trimSlashes(from), path);
  }
  return redirects;
}

/** A path of the configuration below `folder`; null when it leaves it. */
function inside(folder: RepoPath, said: string): RepoPath | null {
  const resolution = resolvePath('', said.replace(/^\/+/, ''));
  return resolution.inside ? joinFolder(folder, resolution.path) : null;
}

/** The value of a YAML (or JSON) text; undefined when it is not valid, null when it is empty. */
export function parseYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    return document.toJS({ maxAliasCount: 100 }) ?? null;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path below a folder; the folder itself where the path is empty. */
export function joinFolder(folder: RepoPath, path: RepoPath): RepoPath {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

function textAs<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { readonly [K in Key]: string }) : {};
}
