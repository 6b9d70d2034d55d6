import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import type { FileValues } from '../../yaml/index.ts';
import { asRecord, asText, isRecord } from '../untyped-values.ts';

/** A configuration, merged with those that it inherits from. */
export interface LoadedConfig {
  readonly values: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  /** The configurations that it inherits from, nearest first. */
  readonly parents: readonly RepoPath[];
  /** Returns the file whose value of a top-level key is used; null when no file sets it. */
  fileOf(key: string): RepoPath | null;
  /** The configuration that it inherits from and that is not in the repository, as written; null when there is none. */
  readonly missingParent: string | null;
  readonly problems: readonly FileProblem[];
}

/** Longest chain of inherited configurations that is read. */
const MAX_PARENTS = 5;

/** Reads a configuration and follows `INHERIT` (MkDocs, user guide, “Configuration Inheritance”). */
export function loadConfig(file: RepoPath, repository: Pick<RepositoryFiles, 'text' | 'yaml'>): LoadedConfig {
  let values: Readonly<Record<string, unknown>> = {};
  const texts: string[] = [];
  const parents: RepoPath[] = [];
  const problems: FileProblem[] = [];
  const owners = new Map<string, RepoPath>();
  let next: RepoPath | null = file;
  let inherited: string | null = null;
  let missingParent: string | null = null;
  for (let depth = 0; next !== null && depth <= MAX_PARENTS; depth += 1) {
    const path: RepoPath = next;
    const text = repository.text(path);
    next = null;
    if (text === null) {
      missingParent = inherited;
      break;
    }
    texts.push(text);
    if (path !== file) parents.push(path);
    const own = valuesOf(repository.yaml(path, 'mkdocs'), path, problems);
    for (const key of Object.keys(own)) if (!owners.has(key)) owners.set(key, path);
    const parent = asText(own['INHERIT']);
    values = mergeDeep(own, values);
    if (parent === null) continue;
    inherited = parent;
    next = pathFrom(folderOf(path), parent);
    if (next === null) missingParent = parent;
  }
  return { values, texts, parents, problems, fileOf: (key) => owners.get(key) ?? null, missingParent };
}

function valuesOf(
  file: FileValues | null,
  path: RepoPath,
  problems: FileProblem[],
): Readonly<Record<string, unknown>> {
  if (file === null) return {};
  const addProblem = (message: string) => problems.push({ file: path, line: null, message });
  if (file.error !== null) addProblem(`The configuration is not valid YAML: ${file.error}.`);
  if (!file.isRead) addProblem('The configuration is not valid YAML.');
  return asRecord(file.values);
}

/** Merges mappings at any depth as MkDocs does; otherwise the value of `over` is used. */
function mergeDeep(under: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>) {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = under[key];
    merged[key] = isRecord(below) && isRecord(value) ? mergeDeep(below, value) : value;
  }
  return merged;
}

/** Resolves a path of a configuration in `folder`; null when it leads out of the repository. */
export function pathFrom(folder: RepoPath, path: string): RepoPath | null {
  const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
  return path.startsWith('/') || !resolution.inside ? null : resolution.path;
}
