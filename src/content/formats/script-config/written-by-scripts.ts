import type { Format, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { foldersAbove, resolvePath, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { makingTargets } from '../made-targets.ts';
import { scriptsBehind } from './script-files.ts';

/** Scripts beyond this number are not read. */
const MAX_SCRIPTS = 50;

/** A script that a command of `package.json` runs, behind options of the program that runs it. */
const SCRIPT =
  /\b(?:node|tsx|ts-node|bun|deno|esno|jiti|vite-node|zx)\s+(?:\S+\s+){0,4}?([\w@./-]{1,200}\.[cm]?[jt]s)\b/g;

/** Longer commands are read up to here. */
const MAX_COMMAND = 2_000;

/** A path in a script, also one of which a function joins the names. */
const PATH = /[\w@.-]{1,100}(?:\/[\w@.-]{1,100})+/g;

/** The paths that a package's scripts name: each folder or file with the folder that it is in, and by which script. */
type NamedPaths = ReadonlyMap<string, RepoPath>;

/**
 * The format of a builder whose sites are packages. What is missing may be written by a script that `package.json` runs,
 * if the script names the folder that is not there, or the file, together with the one around it.
 */
export function withScripts(format: Format): Format {
  return makingTargets(format, (space) => {
    const named = namedPaths(space);
    if (named.size === 0) return null;
    return (path) => {
      const missing = outermostMissing(path, space.index);
      const script = named.get(withFolder(missing));
      return script === undefined
        ? null
        : `${path} is not in the repository: ${script}, which package.json runs, names ${missing} and may write it.`;
    };
  });
}

/** The path, or the outermost folder around it that is not in the repository. */
function outermostMissing(path: RepoPath, index: TreeIndex): RepoPath {
  return foldersAbove(path).findLast((folder) => folder !== '' && !index.isFolder(folder)) ?? path;
}

/** The last two names of a path. */
function withFolder(path: RepoPath): string {
  return path.split('/').slice(-2).join('/');
}

function namedPaths(space: SpaceInput): NamedPaths {
  const packages = [space.directory, ...foldersAbove(space.directory)]
    .map((folder) => joinPath(folder, 'package.json'))
    .filter((path) => space.index.entry(path) !== undefined);
  const scripts = new Set<RepoPath>();
  for (const script of packages.flatMap((path) => scriptsOf(space, path))) {
    if (scripts.has(script)) continue;
    for (const path of [script, ...scriptsBehind(space, script)]) scripts.add(path);
    if (scripts.size >= MAX_SCRIPTS) break;
  }
  const named = new Map<string, RepoPath>();
  for (const script of [...scripts].slice(0, MAX_SCRIPTS)) {
    const text = (space.text(script) ?? '').replace(/(['"`])\s*,\s*['"`]/g, '/');
    for (const [path] of text.matchAll(PATH)) {
      const names = path.split('/');
      for (let at = 1; at < names.length; at += 1) named.set(`${names[at - 1]}/${names[at]}`, script);
    }
  }
  return named;
}

/** The scripts of the repository that the commands of a `package.json` run. */
function scriptsOf({ text, index }: SpaceInput, path: RepoPath): readonly RepoPath[] {
  let commands: unknown;
  try {
    commands = (JSON.parse(text(path) ?? '{}') as { readonly scripts?: unknown } | null)?.scripts;
  } catch {
    return [];
  }
  if (typeof commands !== 'object' || commands === null) return [];
  return Object.values(commands).flatMap((command) =>
    [...String(command).slice(0, MAX_COMMAND).matchAll(SCRIPT)].flatMap(([, written = '']) => {
      const found = resolvePath(path, written);
      return found.inside && index.entry(found.path) !== undefined ? [found.path] : [];
    }),
  );
}
