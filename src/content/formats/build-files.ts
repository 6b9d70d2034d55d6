import type { SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { folderOf, foldersAbove, isInside, isLeftOut, pathInside, resolvePath } from '../tree/index.ts';
import { joinPath } from './folder-paths.ts';

/** A file that says what is done before a site is built. */
export interface BuildFile {
  readonly path: RepoPath;
  readonly text: string;
  /** Whether it is a program, and not a list of commands or settings. */
  readonly isProgram: boolean;
  /** The programs of the repository that it names. */
  readonly programs: readonly RepoPath[];
}

/** Where tasks and the settings of hosts are, besides workflows of GitHub and the repository's own actions for them. */
const TASKS = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'justfile',
  'Justfile',
  'Taskfile.yml',
  'Taskfile.yaml',
  'Rakefile',
  'noxfile.py',
  'tasks.py',
  'tox.ini',
  'pyproject.toml',
  'build.gradle',
  'build.gradle.kts',
  'pom.xml',
  'Dockerfile',
  'netlify.toml',
  'vercel.json',
  '.readthedocs.yaml',
  '.readthedocs.yml',
  '.gitlab-ci.yml',
  'typedoc.json',
  'gulpfile.js',
  'Gruntfile.js',
];

/** Folders of scripts, in which a task runs one that it names without a folder. */
const SCRIPT_FOLDERS = ['scripts', 'script', 'tools', 'hack', 'bin', 'ci', 'build'];

/** Folders whose tasks are those of tests, samples or other projects. */
const ASIDE = /(?:^|\/)(?:tests?|fixtures?|examples?|samples?|templates?|vendor|third[-_]party)(?:\/|$)/i;

const PROGRAM = /\.(?:sh|bash|zsh|py|rb|go|pl|php|ps1|rs|[cm]?[jt]s)$/;

/** Programs that only read: tests, and the tables of a site's addresses. */
const ONLY_READS =
  /(?:[._-](?:test|spec)\.\w+|_test\.\w+|\/test_[^/]+)$|(?:sidebar|redirect|\.config\.|\.d\.)[^/]*$/i;

/** Files beyond these numbers are ignored, the deepest first, and so are longer ones. */
const MAX_TASKS = 40;
const MAX_PROGRAMS = 60;
const MAX_TEXT = 200_000;

/** Names of programs in one file beyond this number are ignored. */
const MAX_NAMES = 200;

/** Several parts of a format, and what wraps it, ask for those of the space that is opened. */
const filesOf = new WeakMap<SpaceInput, readonly BuildFile[]>();

/**
 * Reads the files that say what is done before the sites of a space are built: tasks, workflows and the settings of hosts,
 * and the programs that they name, and these.
 */
export function readBuildFiles(space: SpaceInput): readonly BuildFile[] {
  const known = filesOf.get(space);
  if (known !== undefined) return known;
  const tasks = findTasks(space);
  const files = readFrom(tasks, tasks.length + MAX_PROGRAMS, space);
  filesOf.set(space, files);
  return files;
}

/** Reads the programs that a file names, and those that these name, up to a number of them. */
export function readProgramsOf({ programs }: BuildFile, space: SpaceInput): readonly BuildFile[] {
  return readFrom(programs.slice(0, MAX_PROGRAMS), MAX_PROGRAMS, space);
}

/** Reads files, and the programs that they name, and these, `most` in all. */
function readFrom(first: readonly RepoPath[], most: number, space: SpaceInput): readonly BuildFile[] {
  const files: BuildFile[] = [];
  const paths = new Set(first);
  // What is added to a set while it is iterated over comes at its end.
  for (const path of paths) {
    const text = space.text(path) ?? '';
    if (text === '' || text.length > MAX_TEXT) continue;
    const programs = programsIn(path, text, space);
    files.push({ path, text, isProgram: PROGRAM.test(path) && !ONLY_READS.test(path), programs });
    for (const program of programs) if (paths.size < most) paths.add(program);
  }
  return files;
}

function findTasks({ directory, index, tree }: SpaceInput): readonly RepoPath[] {
  const workflows = tree.flatMap(({ path }) =>
    /^\.github\/(?:workflows\/[^/]+|actions\/[^/]+\/action)\.ya?ml$/.test(path) ? [path] : [],
  );
  const around = new Set([directory, ...foldersAbove(directory)]);
  const tasks = TASKS.flatMap((name) => index.named(name)).filter((path) => {
    const folder = folderOf(path);
    if (around.has(folder)) return true;
    return isInside(path, directory) && !ASIDE.test(path) && !isLeftOut(`${pathInside(folder, directory)}/x`);
  });
  const depth = (path: RepoPath) => path.split('/').length;
  return [...workflows.slice(0, MAX_TASKS / 2), ...tasks.toSorted((a, b) => depth(a) - depth(b))].slice(
    0,
    MAX_TASKS,
  );
}

/** The programs of the repository that a file names, by a path or as a package of Go or Python. */
function programsIn(path: RepoPath, text: string, { index }: SpaceInput): readonly RepoPath[] {
  const own = folderOf(path);
  const found = new Set<RepoPath>();
  const names = new Set<string>();
  for (const word of text.split(/[\s"'`()=,;:&|<>{}[\]]+/)) {
    if (names.size >= MAX_NAMES) break;
    if (word.length > 200 || !/^[\w@$./-]+$/.test(word)) continue;
    if (PROGRAM.test(word) || /^\.{1,2}\//.test(word)) names.add(word.replace(/^\$\w+\//, './'));
  }
  for (const [, module = ''] of text.matchAll(/\s-m\s+(\w{1,50}(?:\.\w{1,50}){1,6})(?=\s|$)/g))
    if (names.size < MAX_NAMES) names.add(`./${module.replaceAll('.', '/')}.py`);
  for (const name of names) {
    const folders = name.includes('/') ? [own, ''] : [own, '', ...SCRIPT_FOLDERS];
    for (const folder of folders) {
      const named = resolvePath(joinPath(folder, 'x'), name);
      if (!named.inside) continue;
      const candidates = PROGRAM.test(named.path)
        ? [named.path, named.path.replace(/\.([cm]?)js$/, '.$1ts')]
        : [...MODULES.map((ending) => named.path + ending), `${named.path}/main.go`];
      const program = candidates.find((candidate) => index.entry(candidate) !== undefined);
      if (program !== undefined && program !== path) found.add(program);
    }
  }
  return [...found];
}

/** Endings with which a program names its modules. */
const MODULES = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.sh'];
