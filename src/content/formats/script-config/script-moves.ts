import { movedSetting } from '../../fix/index.ts';
import {
  type ConfigurationChange,
  lineAt,
  type MoveNotice,
  type SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { FileEdit } from '../../text/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { findImported } from './script-files.ts';
import { findScriptLiterals, type ScriptLiteral, type ScriptLiterals } from './script-literals.ts';

/** How a literal of a script changes: a new text, a notice for people, or null for no change. */
export type ScriptChange = { readonly to: string } | { readonly notice: string } | null;

export type DecideScript = (literal: ScriptLiteral, all: ScriptLiterals) => ScriptChange;

/** Settings that are paths even without a leading `./`. */
const PATH_KEYS =
  /^(?:path|sidebarPath|srcDir|publicDir|staticDirectories|customCss|outDir|cacheDir|include)$/;

const MAX_FILES = 30;

/** Updates the literals of configuration scripts: paths of files, and the others as `decide` returns. */
export function changeScripts(
  move: SpaceMove,
  files: readonly RepoPath[],
  decide: DecideScript,
): ConfigurationChange {
  const edits: FileEdit[] = [];
  const notices: MoveNotice[] = [];
  for (const file of files) {
    const text = move.repository.text(file);
    if (text === null) continue;
    const all = findScriptLiterals(text);
    for (const literal of all.literals) {
      const change = pathChange(move, file, literal) ?? decide(literal, all);
      if (change === null) continue;
      const to = 'to' in change ? textOfLiteral(literal, change.to) : null;
      if (to !== null) edits.push({ file, start: literal.start, end: literal.end, text: to });
      else {
        const message =
          'notice' in change
            ? change.notice
            : `${literal.value} names a path that moved. Change it to ${change.to}`;
        notices.push({ file, line: lineAt(text, literal.start), message });
      }
    }
  }
  return { edits, notices };
}

/** A configuration and the modules of the repository that it imports, at any depth. */
export function scriptsFrom(
  move: Pick<SpaceMove, 'repository'>,
  starts: readonly RepoPath[],
): readonly RepoPath[] {
  const { repository } = move;
  const found = new Set<RepoPath>();
  const open = [...starts];
  for (let file = open.shift(); file !== undefined && found.size < MAX_FILES; file = open.shift()) {
    const text = found.has(file) ? null : repository.text(file);
    if (text === null) continue;
    found.add(file);
    for (const { value } of findScriptLiterals(text).literals) {
      if (!/^\.\.?\//.test(value)) continue;
      const module = findImported(repository, file, value);
      if (module !== null && /\.(?:[cm]?[jt]s|json)$/.test(module)) open.push(module);
    }
  }
  return [...found];
}

/** Updates `./x` and the paths of settings if they lead to files or folders of the repository. */
function pathChange(move: SpaceMove, file: RepoPath, { value, key, isKey }: ScriptLiteral): ScriptChange {
  const isPath =
    /^\.\.?\//.test(value) || (!isKey && key !== null && PATH_KEYS.test(key) && /^[\w@][^:*?]*$/.test(value));
  if (!isPath) return null;
  const { index } = move.repository;
  const found = resolvePath(file, value);
  if (!found.inside) return null;
  const module = findImported(move.repository, file, value);
  if (module === null && !index.isFolder(found.path)) return null;
  // In TypeScript, an import names the compiled file.
  const compiled =
    module === null || module.startsWith(found.path) ? '' : (/\.[cm]?js$/.exec(value)?.[0] ?? '');
  const ending = module === null ? '' : module.slice(found.path.length - compiled.length);
  const folders = { from: folderOf(file), newFrom: folderOf(move.moved(file)) };
  const written = value.slice(0, value.length - compiled.length) + ending;
  const whole = movedSetting({ ...folders, written }, move.moved);
  if (whole === null || !whole.endsWith(ending)) return null;
  const to = whole.slice(0, whole.length - ending.length) + compiled;
  return { to: /^\.\.?\//.test(value) && !to.startsWith('.') ? `./${to}` : to };
}

/** The text if it can be written between the literal's quotes without escapes; otherwise null. */
function textOfLiteral({ quote, isPlain }: ScriptLiteral, to: string): string | null {
  return !isPlain || to.includes(quote) || /[\\\n]|\$\{/.test(to) ? null : to;
}
