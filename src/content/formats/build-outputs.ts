import type { SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { folderOf, foldersAbove, isInside, pathInside } from '../tree/index.ts';
import type { BuildFile } from './build-files.ts';
import { checkoutsIn, copiesOf, isCopyCommand } from './copy-commands.ts';
import type { ExplainMade } from './made-targets.ts';

/** Paths beyond this number are ignored, and so are longer lines. */
const MAX_NAMED = 20_000;
const MAX_COPIES = 200;
const MAX_LINE = 2_000;

/** What writes in a program of any language but a shell's. */
const PROGRAM_WRITES =
  /\b(?:write_?(?:file|text|bytes|all|string|lines|to)|writeln|outputFile|createWriteStream|copy_?(?:file|tree|dir)|cpSync|copySync|mkdir|makedirs|create_dir|os\.Create|File\.(?:write|create)|fs\.(?:write|cp|copy|rename)|GenMarkdownTree|save|dump)|\bopen\([^)\n]{0,200}["'][wax]b?\+?["']|\bwrite\(/i;

/** What writes in a command or a setting: the command, a redirection, or the name of an option for what is made. */
const COMMAND_WRITES =
  /(?:^|[\s;&|(@'"])(?:cp|mv|rsync|install|ln|tee|curl|wget|mkdir|unzip|tar|clone|worktree|touch|COPY|ADD)\s|[^<=>-]>{1,2}\s*["'$\w.]|\b(?:gen(?:erate)?(?:[-_]\w+|docs?|api|cli|ref)?|typedoc|pdoc|sphinx-apidoc|jsdoc2md|terraform-docs|helm-docs)\b/;

const OPTION =
  /(?:^|[^A-Za-z])(?:-[od]\s|(?:[A-Za-z]{1,20}[-_])?(?:out|output|OUT|OUTPUT|dest|DEST|destination|into)(?:[-_]?(?:[Dd]ir|DIR|[Dd]irectory|[Ff]ile|FILE|[Pp]ath|PATH|[Ff]older))?\b|[a-z]{1,20}(?:Out|Output|Dest|Target)(?:Dir|File|Path|Folder|Directory)?\b)/;

/** What only names paths: checks, what they leave out, and tables of a site's addresses. */
const NAMES_ONLY =
  /lint|spell|lychee|\bvale\b|\bcheck|exclud|ignor|\bskip|sidebar|\bnav|redirect|\blinks?\b|\bhref\b|\burls?\b|\bpaths(?:-ignore)?:|\bfilters?\b|\bimport\b|\bfrom\s+["']|\brequire\(|\b(?:grep|cat|ls|test)\s/i;

/** Files that everybody has, whose names say nothing. */
const COMMON_NAME = /^(?:index|readme|changelog|license|contributing|summary|_index|package|main|style)\./i;

/** Code is not what the build of a site makes. */
const CODE =
  /\.(?:go|rs|java|kt|kts|py|rb|c|cc|cpp|h|hpp|cs|swift|scala|php|[cm]?[jt]sx?|vue|svelte|sh|proto|sol)$/i;

/** What the build files say, apart from which files there are. */
interface Outputs {
  readonly copyCommands: readonly Named[];
  /** Two names of a path that follow each other, joined by a slash, or the name of a file. */
  readonly named: ReadonlyMap<string, Named>;
}

interface Named {
  readonly source: RepoPath;
  readonly command: string;
  /** Folders with other repositories while the command runs. */
  readonly checkouts: readonly RepoPath[];
}

/**
 * Explains targets that the build of a space may make: what a command copies between its pages, and what tasks and the
 * programs that they run name as something they write. The paths of such files start anywhere, so a folder or file counts
 * as named together with the folder around it.
 */
export function explainOutputs(space: SpaceInput, files: readonly BuildFile[]): ExplainMade {
  let read: Outputs | undefined;
  return (path, written) => {
    const isOfSite = isInside(path, space.directory) && !CODE.test(path) && !/^[a-z][\w+.-]*:/i.test(written);
    if (!isOfSite || files.length === 0) return null;
    // Few spaces have a missing target. What files there are is looked up for each, since later trees may differ in it.
    read ??= readOutputs(files);
    return explainCopied(path, read, space) ?? explainNamed(path, read, space);
  };
}

function explainCopied(path: RepoPath, { copyCommands }: Outputs, space: SpaceInput): string | null {
  const { index } = space;
  for (const { source, command, checkouts } of copyCommands) {
    const copy = copiesOf(command, space, checkouts).find(({ to, from }) => {
      if (path !== to && !isInside(path, to)) return false;
      if (from === null) return true;
      const original = path === to ? from : `${from}/${pathInside(path, to)}`;
      return index.entry(original) !== undefined || index.isFolder(original);
    });
    if (copy === undefined) continue;
    const { from, to } = copy;
    return `${path} is not in the repository: ${source} ${from === null ? `makes ${to}` : `copies ${from} to ${to}`} before the site is built.`;
  }
  return null;
}

function explainNamed(path: RepoPath, { named }: Outputs, space: SpaceInput): string | null {
  const { index } = space;
  const outermost = foldersAbove(path).findLast((folder) => folder !== '' && !index.isFolder(folder)) ?? path;
  for (const missing of [outermost, path]) {
    const found = missing.includes('/') ? named.get(lastTwo(missing)) : undefined;
    if (found !== undefined && !isCopyOfWhatIsThere(found, space))
      return explain(path, found, lastTwo(missing));
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = /^.{3,}\.\w{2,5}$/.test(name) && !COMMON_NAME.test(name) ? named.get(name) : undefined;
  if (found === undefined || index.named(name).length > 0 || !index.isFolder(folderOf(path))) return null;
  return isCopyOfWhatIsThere(found, space) ? null : explain(path, found, name);
}

/** A copy of what the repository has holds no more than that. */
function isCopyOfWhatIsThere({ command, checkouts }: Named, space: SpaceInput): boolean {
  const copies = copiesOf(command, space, checkouts);
  return copies.length > 0 && copies.every(({ from }) => from !== null);
}

function explain(path: RepoPath, { source }: Named, named: string): string {
  return `${path} is not in the repository: ${source} names ${named}, which the build may make.`;
}

function lastTwo(path: RepoPath): string {
  return path.split('/').slice(-2).join('/');
}

function readOutputs(files: readonly BuildFile[]): Outputs {
  const named = new Map<string, Named>();
  const copyCommands: Named[] = [];
  const writers = new Set(files.flatMap((file) => (writesIn(file) ? [file.path] : [])));
  for (const file of files) {
    if (file.isProgram && ![file.path, ...file.programs].some((path) => writers.has(path))) continue;
    const checkouts = checkoutsIn(file.text);
    for (const command of commandsOf(file)) {
      const own = { source: file.path, command, checkouts };
      if (isCopyCommand(command) && copyCommands.length < MAX_COPIES) copyCommands.push(own);
      const writes =
        COMMAND_WRITES.test(command) ||
        OPTION.test(command) ||
        (file.isProgram && PROGRAM_WRITES.test(command));
      if (!writes && !file.isProgram) continue;
      for (const name of namesIn(command, writes)) {
        if (named.size >= MAX_NAMED) return { named, copyCommands };
        if (!named.has(name)) named.set(name, own);
      }
    }
  }
  return { named, copyCommands };
}

function writesIn({ path, text, isProgram }: BuildFile): boolean {
  return isProgram && (/sh$/.test(path) ? COMMAND_WRITES : PROGRAM_WRITES).test(text);
}

/** The lines of a file in which paths are named that it may write, without comments and tables of addresses. */
function* commandsOf({ path, text, isProgram }: BuildFile): Generator<string> {
  const lines = path.endsWith('package.json') ? scriptsIn(text) : text.split('\n');
  const isHost = /(?:^|\/)(?:netlify\.toml|vercel\.json)$/.test(path);
  let isText = false;
  let tableIndent: number | null = null;
  for (const line of lines) {
    if (isProgram && line.split('"""').length % 2 === 0) isText = !isText;
    if (isText || line.length > MAX_LINE || /^\s*(?:#|\/\/|\/?\*|<!--|--|rem\b|"")/i.test(line)) continue;
    const indent = line.length - line.trimStart().length;
    if (tableIndent !== null) {
      if (line.trim() !== '' && indent <= tableIndent) tableIndent = null;
      continue;
    }
    const command = line.replace(/\s(?:#|\/\/)\s.*$/, '');
    if (isHost && !/command|build/i.test(command)) continue;
    for (const part of isProgram ? [command] : command.split(/&&|\|\||;/)) {
      if (!NAMES_ONLY.test(part)) yield part;
      else if (/[[({:]\s*$/.test(command)) tableIndent = indent;
    }
  }
}

function scriptsIn(text: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? Object.values(scripts).map(String) : [];
  } catch {
    return [];
  }
}

/** Pairs of names in the paths of a line, also of paths whose names a function joins; names of files if `writes`. */
function* namesIn(line: string, writes: boolean): Generator<string> {
  const joined = line
    .replace(/\$\{[^{}]{0,100}\}|\{\w{1,50}\}/g, '$')
    .replace(/(['"`])\)?\s{0,9}(?:,|\/|\.join\()\s{0,9}['"`]/g, '/');
  for (const word of joined.split(/[\s"'`()=,;:&|<>{}[\]]+/)) {
    // A path from the root is an address of the site.
    if (word.startsWith('/') || word.startsWith('@')) continue;
    const names = word.split('/').filter((name) => name !== '' && !/^\.{1,2}$/.test(name));
    for (const [at, name] of names.entries()) {
      const before = names[at - 1];
      if (!isName(name)) continue;
      if (before !== undefined && isName(before)) yield `${before}/${name}`;
      if (writes && at === names.length - 1 && /^[\w-].*\.\w{2,5}$/.test(name)) yield name;
    }
  }
}

function isName(name: string): boolean {
  return name.length <= 100 && /^[\w.@-]+$/.test(name);
}
