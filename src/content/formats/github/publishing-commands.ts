import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, isLeftOut, isPageFile, pathInside, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { asRecord, asText } from '../untyped-values.ts';

/** A folder that a command of the repository publishes. */
export interface CommandedFolder {
  readonly builder: string;
  readonly folder: RepoPath;
  /** The file with the command. */
  readonly source: RepoPath;
}

/** Commands that make sites. */
const COMMANDS: readonly (readonly [builder: string, command: RegExp])[] = [
  ['Eleventy', /(?:^|[\s/"'])(?:@11ty\/)?eleventy(?=[\s"']|$)/],
  ['Gatsby', /\bgatsby (?:build|develop|serve)\b/],
  ['Hexo', /\bhexo (?:generate|server|deploy|g|s)\b/],
  ['DocPad', /\bdocpad (?:generate|run|deploy)\b/],
  ['Zola', /\bzola\b[^&|;\n]{0,200}\b(?:build|serve)\b/],
  ['Hugo', /(?:^|[\s"'`(])hugo(?=\s+(?:-|server\b|build\b)|\s*(?:$|["'&;]))/],
  ['Jekyll', /\bjekyll (?:build|serve|server|b|s)\b/],
  ['Nanoc', /\bnanoc (?:compile|live|co|deploy)\b/],
  ['Middleman', /\bmiddleman (?:build|server|serve|deploy)\b/],
  ['Docsify', /\bdocsify(?:-cli)? (?:serve|start|init|generate)\b/],
  ['Wintersmith', /\bwintersmith (?:build|preview)\b/],
  ['Metalsmith', /(?:^|[\s/"'])metalsmith(?=[\s"']|$)/],
  ['Sphinx', /\bsphinx-(?:build|autobuild)\b|\bpython3? -m sphinx\b/],
  ['Pelican', /\bpelican\b[^&|;\n]{0,200}\bcontent\b/],
  ['VuePress', /\bvuepress (?:build|dev)\b/],
  ['HonKit', /\b(?:honkit|gitbook) (?:build|serve)\b/],
  ['Harp', /\bharp (?:compile|server)\b/],
  ['Retype', /\bretype (?:build|start|watch)\b/],
  ['Antora', /\bantora\b[^&|;\n]{0,200}\bplaybook\b/],
  ['Quarto', /\bquarto (?:render|preview|publish)\b/],
  ['Lektor', /\blektor (?:build|server|deploy)\b/],
  ['Cobalt', /\bcobalt (?:build|serve)\b/],
];

/** Where settings of hosts and tasks are, besides `.github/workflows`. */
const NAMES = [
  'package.json',
  'Makefile',
  'makefile',
  'netlify.toml',
  'vercel.json',
  '.readthedocs.yaml',
  '.readthedocs.yml',
  'justfile',
  'Justfile',
  'Taskfile.yml',
];

/** Files beyond this number are ignored, the deepest first, and so are longer texts and lines. */
const MAX_FILES = 40;
const MAX_TEXT = 200_000;
const MAX_LINE = 2_000;

/** Where the pages are if a command at the top names no folder. */
const USUAL = ['docs', 'doc', 'documentation', 'website', 'site', 'content', 'source', 'src/content'];

/** Folders in which commands are those of tests, samples or other projects. */
const ASIDE = /(?:^|\/)(?:tests?|fixtures?|examples?|samples?|templates?|vendor|third[-_]party)(?:\/|$)/i;

/**
 * Finds the folders that a command in the scripts of a package, a Makefile, a workflow or the settings of a host publishes:
 * that of its arguments, else the file’s own, and for a file at the top the usual one that has pages.
 */
export function findCommandedFolders(space: SpaceInput): readonly CommandedFolder[] {
  const { directory, index, tree } = space;
  const workflows =
    directory === ''
      ? tree.map(({ path }) => path).filter((path) => path.startsWith('.github/workflows/'))
      : [];
  const named = NAMES.flatMap((name) => index.named(name)).filter(
    (path) =>
      isInside(path, directory) &&
      !ASIDE.test(path) &&
      !isLeftOut(`${folderOf(pathInside(path, directory))}/x`),
  );
  const sources = [...named.toSorted((a, b) => a.split('/').length - b.split('/').length), ...workflows];
  const hasPages = once(() => foldersWithPages(space));
  const found = new Map<RepoPath, CommandedFolder>();
  for (const source of sources.slice(0, MAX_FILES)) {
    for (const line of commandsIn(source, space.text(source) ?? '')) {
      const builder = COMMANDS.find(([, command]) => command.test(line))?.[0];
      const folder = builder === undefined ? null : folderFor(source, line, directory, hasPages());
      if (builder !== undefined && folder !== null && !found.has(folder))
        found.set(folder, { builder, folder, source });
    }
  }
  return [...found.values()];
}

function commandsIn(source: RepoPath, text: string): readonly string[] {
  if (text.length > MAX_TEXT) return [];
  const lines = source.endsWith('package.json') ? scriptsIn(text) : text.split('\n');
  return lines.filter((line) => line.length <= MAX_LINE && !/^\s*(?:#|\/\/)/.test(line));
}

function scriptsIn(text: string): readonly string[] {
  try {
    return Object.values(asRecord(asRecord(JSON.parse(text))['scripts'])).flatMap(
      (value) => asText(value) ?? [],
    );
  } catch {
    return [];
  }
}

/** The folder that a command of a file publishes; null when none of those that it may be has pages. */
function folderFor(
  source: RepoPath,
  line: string,
  directory: string,
  pages: ReadonlySet<RepoPath>,
): RepoPath | null {
  const isWorkflow = source.startsWith('.github/');
  const own = isWorkflow ? '' : folderOf(source);
  for (const [word] of line.matchAll(/[\w@.-]+(?:\/[\w@.-]+)*/g)) {
    const resolution = /^\.*$/.test(word) ? null : resolvePath(joinPath(own, 'x'), word);
    if (resolution?.inside === true && resolution.path !== own && pages.has(resolution.path))
      return resolution.path;
  }
  if (own !== directory) return pages.has(own) ? own : null;
  const usual = USUAL.map((name) => joinPath(own, name)).filter((folder) => pages.has(folder));
  // Among several nothing says which one is meant.
  return usual.length === 1 ? (usual[0] ?? null) : null;
}

/** The folders with pages, at any depth. */
function foldersWithPages({ entries }: SpaceInput): ReadonlySet<RepoPath> {
  const folders = new Set<RepoPath>();
  for (const { path } of entries) {
    if (!isPageFile(path) && !/\.mdx$/i.test(path)) continue;
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder);
  }
  return folders;
}

function once<Value>(compute: () => Value): () => Value {
  let value: { readonly computed: Value } | undefined;
  return () => {
    value ??= { computed: compute() };
    return value.computed;
  };
}
