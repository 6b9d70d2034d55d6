import { type Document, isMap, isScalar, isSeq, visit } from 'yaml';
import type { RepositoryFiles } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { parseYamlDocument } from '../../yaml/index.ts';
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
export function loadConfig(file: RepoPath, repository: Pick<RepositoryFiles, 'text'>): LoadedConfig {
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
    const own = parseYaml(text, path, problems);
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

function parseYaml(text: string, file: RepoPath, problems: FileProblem[]): Record<string, unknown> {
  try {
    const document = parseYamlDocument(text, { merge: true });
    const error = document.errors[0];
    if (error !== undefined) {
      problems.push({ file, line: null, message: `The configuration is not valid YAML: ${error.message}.` });
    }
    readEnvironment(document);
    return asRecord(document.toJS({ maxAliasCount: 100 }));
  } catch {
    problems.push({ file, line: null, message: 'The configuration is not valid YAML.' });
    return {};
  }
}

/** Replaces `!ENV [NAME, default]` by its default and `!ENV NAME` by null, as if no environment variable were set. */
function readEnvironment(document: Document): void {
  visit(document, {
    Pair(_key, pair) {
      const { value } = pair;
      if ((!isSeq(value) && !isScalar(value)) || value.tag !== '!ENV') return;
      const last = isSeq(value) && value.items.length > 1 ? value.items.at(-1) : null;
      pair.value = isScalar(last) || isMap(last) || isSeq(last) ? last : null;
    },
  });
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
