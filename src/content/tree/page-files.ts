import type { RepoPath, TreeEntry } from '../model/index.ts';

/** Whether a file is a page by its extension: Markdown as GitHub renders it. */
export function isPageFile(path: RepoPath): boolean {
  // Called for every file of a tree; most pages end with `.md`.
  return path.endsWith('.md') || /\.(?:md|markdown)$/i.test(path);
}

/** Whether a file is a `SUMMARY.md`: a table of contents, not a page. */
export function isSummaryFile(path: RepoPath): boolean {
  return /(?:^|\/)SUMMARY\.md$/i.test(path);
}

/** The precedence of a file as the page of its folder: the lowest number wins. Null for other files. */
export function indexRank(path: RepoPath): number | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rank = INDEX_NAMES.findIndex((pattern) => pattern.test(name));
  return rank === -1 ? null : rank;
}

const INDEX_NAMES = [
  /^README\.md$/,
  /^README\.md$/i,
  /^README\.markdown$/i,
  /^index\.md$/i,
  /^index\.markdown$/i,
];

/** Whether a file is a README, which the host shows below its folder's list of files. */
export function isReadme(path: RepoPath | null): boolean {
  return path !== null && /(?:^|\/)README\.(?:md|markdown)$/i.test(path);
}

/**
 * Whether a file is one that people read on the repository's host. A README is wherever it is; the others are at the top and
 * in `.github`, and in other folders where they are written in capitals as usual: `wiki/support.md` is a page like those
 * beside it.
 */
export function isHostFile(path: RepoPath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!HOST_FILE.test(name)) return false;
  return (
    name === path ||
    /^(?:README|[A-Z_]+(?:\.|$))/.test(name) ||
    /^readme/i.test(name) ||
    path.startsWith('.github/')
  );
}

const HOST_FILE =
  /^(?:README|CONTRIBUTING|CHANGELOG|CHANGES|HISTORY|CODE_OF_CONDUCT|SECURITY|SUPPORT|GOVERNANCE|LICENSE)(?:\.\w+)*$/i;

/** A folder of a package that Go copies into a repository: `vendor/github.com/…`. */
const VENDORED = /(?:^|\/)vendor\/[\w-]+(?:\.[\w-]+)+\//;

/** Whether a path relative to the space is in a dot folder or an installed package, which are not documentation. */
export function isLeftOut(pathInSpace: RepoPath): boolean {
  return (
    pathInSpace.startsWith('.') ||
    pathInSpace.includes('/.') ||
    pathInSpace.startsWith('node_modules/') ||
    pathInSpace.includes('/node_modules/') ||
    (pathInSpace.includes('vendor/') && VENDORED.test(pathInSpace))
  );
}

/**
 * Whether a file is a page in `.github` that people read on the repository's host. Data of tests is not, and neither are
 * templates and the texts of comments: they are shown where somebody, or a bot, writes by them.
 */
export function isDotGithubPage(path: RepoPath): boolean {
  return (
    path.startsWith('.github/') &&
    isPageFile(path) &&
    !isLeftOut(path.slice('.github/'.length)) &&
    !/\/(?:tests?|fixtures?|testdata|(?:[\w.-]*[-_])?(?:templates?|messages?|comments?|repl(?:y|ies)))\//i.test(
      path,
    ) &&
    !/^\.github\/(?:(?:issue|pull_request|discussion)_template(?:\.\w+$|\/)|.*_template\.\w+$)/i.test(path)
  );
}

/** Whether the links of a file are checked in the space of `directory`. Those of a symbolic link are checked in its target. */
export function isSource({ path, mode }: TreeEntry, directory: string): boolean {
  if (mode === 'symlink' || mode === 'submodule') return false;
  return isPageFile(path) && isInside(path, directory) && !isLeftOut(pathInside(path, directory));
}

/** `isSource` for the entries of a space, which are all inside it and not excluded. */
export function isSourceOfSpace({ path, mode }: TreeEntry): boolean {
  return mode !== 'symlink' && mode !== 'submodule' && isPageFile(path);
}

/** Whether `path` is inside `directory` ('' is the repository's root). */
export function isInside(path: RepoPath, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}

/** Returns the path relative to `directory`, which must contain it. */
export function pathInside(path: RepoPath, directory: string): string {
  return directory === '' ? path : path.slice(directory.length + 1);
}

/**
 * Whether a page, by its path in the space, is data of tests: it is named as what a program should write, or it is in a
 * folder of fixtures, or in a folder of tests with folders of its own. READMEs of tests are not, and nothing below a folder
 * of documentation is.
 */
export function isTestFixture(pathInSpace: RepoPath): boolean {
  if (EXPECTED.test(pathInSpace)) return true;
  const folders = pathInSpace.split('/').slice(0, -1);
  const docs = folders.findIndex((name) => DOCUMENTATION.test(name));
  const before = docs === -1 ? folders : folders.slice(0, docs);
  const readme = isHostFile(pathInSpace);
  const fixtures = before.findIndex((name) => FIXTURES.test(name));
  if (fixtures !== -1) return !readme || fixtures < folders.length - 1;
  const tests = before.findIndex((name) => TESTS.test(name));
  return tests !== -1 && tests < folders.length - 1 && !readme;
}

/**
 * Whether a page, by its path in the space, is what a test of a program reads or should write: beside it is what that should
 * be (`tables.expected.md`), or it is in a folder of tests with the same in another format (`tables.html`) or a test of its
 * name (`tables.test.js`). `has` is whether the space has a file.
 */
export function isTestInput(pathInSpace: RepoPath, has: (pathInSpace: RepoPath) => boolean): boolean {
  const stem = pathInSpace.replace(/\.\w+$/, '');
  if (has(`${stem}.expected.md`) || has(`${stem}.expect.md`)) return true;
  const folders = pathInSpace.split('/').slice(0, -1);
  const last = folders.at(-1) ?? '';
  if (isHostFile(pathInSpace) || !(TESTS.test(last) || /^specs?$/i.test(last))) return false;
  if (folders.some((name) => DOCUMENTATION.test(name))) return false;
  return RESULTS.some((ending) => has(`${stem}.${ending}`));
}

/** Formats in which programs write what they read as Markdown. */
const RESULTS = [
  'html',
  'htm',
  'txt',
  'json',
  'xml',
  'tex',
  'latex',
  'rst',
  'adoc',
  'out',
  'expected',
].concat(['native', 'ast', 'snap', 'docx', 'text'], testsOf(['js', 'ts', 'mjs', 'mts', 'cjs', 'jsx', 'tsx']));

function testsOf(languages: readonly string[]): readonly string[] {
  return languages.flatMap((language) => [`test.${language}`, `spec.${language}`]);
}

const DOCUMENTATION = /^(?:docs?|documentation|content|website|site|handbook|guides?|wiki|book)$/i;
/** `account.expected.md`: the name of what a test compares with. */
const EXPECTED = /\.(?:expect(?:ed)?|snap(?:shot)?|golden)\.mdx?$/i;
const FIXTURES =
  /^(?:__)?(?:fixtures?|snapshots?|testdata|(?:test|fake|mock|dummy)[-_](?:data|docs?|repos?|files?))(?:__)?$/i;
const TESTS = /^(?:(?:[^/]{1,100}[-_])?_{0,2}tests?_{0,2}|e2e)$/i;

/** Names of folders with tests, examples or third-party code, which a project does not publish. */
const EXAMPLES =
  /(?:^|\/)(?:(?:[^/]{1,100}[-_])?_{0,2}tests?_{0,2}|examples?|samples?|(?:__)?fixtures?(?:__)?|e2e|templates?|starters?|boilerplates?|testdata|test[-_]data|demos?|playgrounds?|vendor|third[-_]party)(?:\/|$)/i;

/** Whether a folder is among a project's tests and examples. */
export function isExampleFolder(folder: RepoPath): boolean {
  return EXAMPLES.test(folder);
}

/** Returns the paths that are neither in dot folders nor in installed packages. */
export function withoutInstalled(paths: readonly RepoPath[]): readonly RepoPath[] {
  return paths.filter((path) => !isLeftOut(path));
}
