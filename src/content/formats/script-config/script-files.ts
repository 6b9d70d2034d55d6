import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { parseScript } from './parse-script.ts';

/** A module of the repository. */
export interface ScriptFile {
  readonly path: RepoPath;
  readonly text: string;
}

/**
 * Returns the module that a script imports by a relative path; null when it is not in the repository or cannot be read.
 */
export type ReadImport = (from: RepoPath, specifier: string) => ScriptFile | null;

const EXTENSIONS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'json'];

/** Modules of one configuration beyond this number are not read. */
const MAX_FILES = 100;

/** Finds the file that a script imports by a relative path, as builders do; null when there is none. */
export function findImported(
  { index }: Pick<RepositoryFiles, 'index'>,
  from: RepoPath,
  specifier: string,
): RepoPath | null {
  const found = resolvePath(from, specifier);
  if (!found.inside) return null;
  // In TypeScript, an import names the compiled file.
  const stem = found.path.replace(/\.([cm]?)js$/, '');
  const names = [
    found.path,
    ...EXTENSIONS.map((extension) => `${found.path}.${extension}`),
    ...(stem === found.path ? [] : EXTENSIONS.map((extension) => `${stem}.${extension}`)),
    ...EXTENSIONS.map((extension) => `${found.path}/index.${extension}`),
  ];
  return names.find((name) => index.entry(name) !== undefined) ?? null;
}

/** Reads the modules that scripts of a repository import. */
export function importsFrom(repository: RepositoryFiles): ReadImport {
  return (from, specifier) => {
    const path = isRelative(specifier) ? findImported(repository, from, specifier) : null;
    const text = path === null ? null : repository.text(path);
    return path === null || text === null ? null : { path, text };
  };
}

/** The specifiers of the modules that a script imports or re-exports, with the local names of the imports. */
export function importsOf(
  text: string,
): readonly { readonly specifier: string; readonly names: readonly string[] }[] {
  return (parseScript(text)?.program.body ?? []).flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') {
      const names = statement.specifiers.map(({ local }) => local.name);
      return [{ specifier: statement.source.value, names }];
    }
    const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration';
    return isExport && statement.source !== null ? [{ specifier: statement.source.value, names: [] }] : [];
  });
}

/** The scripts of the repository that a script imports, at any depth and without itself. */
export function scriptsBehind(repository: RepositoryFiles, script: RepoPath): readonly RepoPath[] {
  const found = new Set<RepoPath>();
  const open = [script];
  for (let file = open.pop(); file !== undefined && found.size < MAX_FILES; file = open.pop()) {
    for (const { specifier } of importsOf(repository.text(file) ?? '')) {
      const path = isRelative(specifier) ? findImported(repository, file, specifier) : null;
      if (path === null || path === script || found.has(path) || !/\.[cm]?[jt]s$/.test(path)) continue;
      found.add(path);
      open.push(path);
    }
  }
  return [...found];
}

export function isRelative(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier);
}
