import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { joinPath } from '../folder-paths.ts';

/** A script of the repository that a host runs in the place of MkDocs, and that changes the folder of pages before. */
export interface BuildScript {
  readonly path: RepoPath;
  readonly text: string;
  /** Whether it fills a folder at the top of the pages, by its name. */
  fills(folder: string): boolean;
  /** Whether it writes a page, by its path in the folder of pages. */
  writes(page: string): boolean;
}

const HOSTS = ['netlify.toml', 'vercel.json', '.readthedocs.yaml', '.readthedocs.yml'];

/** A script that a host’s settings run: `command = "./hack/build.sh"`. */
const RUN_SCRIPT =
  /(?:command|buildCommand|^[ \t]*-)["']?[ \t]*[:=]?[ \t]*["']?(?:(?:ba)?sh[ \t]+)?(?:\.\/)?([\w-]+(?:[/.][\w-]+)*\.sh)\b/im;

const MAX_TEXT = 200_000;

/** Reads the script that builds the site of `folder`; null where the host runs MkDocs itself. */
export function readBuildScript(
  folder: RepoPath,
  docsFolder: RepoPath | null,
  { text }: Pick<RepositoryFiles, 'text'>,
): BuildScript | null {
  if (docsFolder === null) return null;
  for (const host of HOSTS) {
    const settings = text(joinPath(folder, host)) ?? '';
    const [, name] = settings.length > MAX_TEXT ? [] : (RUN_SCRIPT.exec(settings) ?? []);
    const path = name === undefined ? null : joinPath(folder, name);
    const script = path === null ? null : text(path);
    if (path === null || script === null || script.length > MAX_TEXT || !/\bmkdocs\b/.test(script)) continue;
    const pages = docsFolder.slice(docsFolder.lastIndexOf('/') + 1);
    // What is behind the folder in a path that a line copies, moves or fetches to.
    const written = new Set(
      script
        .split('\n')
        .filter((line) => !/^\s*#/.test(line) && /\b(?:cp|mv|rsync|curl|wget|clone|worktree)\b/.test(line))
        .flatMap((line) =>
          [...line.matchAll(/([\w.-]+)\/([\w.-]+(?:\/[\w.-]+)*)/g)].flatMap(([whole]) =>
            inPages(whole, pages),
          ),
        ),
    );
    if (written.size === 0) continue;
    const folders = new Set([...written].map((page) => page.split('/', 1)[0] ?? ''));
    return { path, text: script, fills: (name) => folders.has(name), writes: (page) => written.has(page) };
  }
  return null;
}

function inPages(path: string, pages: string): readonly string[] {
  const names = path.split('/');
  const at = names.indexOf(pages);
  return at === -1 || at === names.length - 1 ? [] : [names.slice(at + 1).join('/')];
}

const TASKS = ['Makefile', 'makefile', 'justfile', 'package.json', ...HOSTS];

/** Folders of scripts, in which a task runs one that it names without a folder. */
const SCRIPT_FOLDERS = ['', 'scripts', 'script', 'tools', 'hack', 'bin', 'ci', 'build'];

const MAX_SCRIPTS = 30;

/** A command that takes the configuration elsewhere, as a build from a folder that a script puts together does. */
const COPIES_SETTINGS = /^(?!\s*#).{0,300}\b(?:cp|rsync|install)\b.{0,300}\bmkdocs\.ya?ml\b/m;

/**
 * Finds the task or script that copies the configuration of `folder` elsewhere before MkDocs runs there, with what it puts
 * beside the pages; null when there is none.
 */
export function findAssembly(folder: RepoPath, { text }: Pick<RepositoryFiles, 'text'>): RepoPath | null {
  const scripts = new Set<RepoPath>();
  for (const name of TASKS) {
    const task = joinPath(folder, name);
    const commands = text(task) ?? '';
    if (commands.length > MAX_TEXT) continue;
    if (!name.endsWith('.json') && COPIES_SETTINGS.test(commands)) return task;
    for (const [, script = ''] of commands.matchAll(/(?:^|[\s"'/])((?:[\w-]+\/)*[\w.-]{1,100}\.sh)\b/gm)) {
      for (const around of script.includes('/') ? [''] : SCRIPT_FOLDERS)
        if (scripts.size < MAX_SCRIPTS) scripts.add(joinPath(folder, joinPath(around, script)));
    }
  }
  for (const script of scripts) {
    const commands = text(script) ?? '';
    if (commands.length <= MAX_TEXT && COPIES_SETTINGS.test(commands)) return script;
  }
  return null;
}
