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
