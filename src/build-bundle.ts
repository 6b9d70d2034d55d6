/**
 * Bundles the compiled modules of the commands that read a work tree (`check`, `backlinks`, `mv`), and their packages, into
 * a few files next to `dist/cli/main.js`: opening two hundred files takes longer than checking a small repository. Other
 * commands are not bundled, and are loaded when they are run.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Commands that use the server, the database or the sandbox, and child processes, some of which find files relative to their
 * own; and the requests to other sites. Few checks need any of them.
 */
const UNBUNDLED =
  /[\\/]cli[\\/](?:commands[\\/](?!(?:check|backlinks|mv)\.js$)|external[\\/])|[\\/]dist[\\/]threads[\\/]/;

/** Cannot be bundled; loaded only when a configuration is a program. */
const NATIVE = /^oxc-parser$/;

/** Modules that list the files and print a cached answer: a check of unchanged files needs no others. */
const ANSWER = [
  'cli/cache-folder',
  'cli/check/cache-file',
  'cli/check/cache-location',
  'cli/check/check-cached',
  'cli/check/list-with-git',
  'cli/check/open-paths',
  'cli/check/own-oid',
  'cli/check/print/index',
  'cli/check/print/json',
  'cli/check/print/pretty',
  'cli/check/print/report',
  'cli/check/read-origin',
  'cli/check/read-plain-clone',
  'cli/check/read-remote-url',
  'cli/check/repository-address',
  'cli/check/run-git',
  'cli/check/scopes',
  'cli/check/show-progress',
  'cli/check/tree-signature',
  'cli/check/unreadable-paths',
  'cli/check/work-tree',
  'cli/commands/check',
  'content/text/nearest-word',
  'git/object-oid',
].map((module) => resolve(`dist/${module}.js`));
const missing = ANSWER.filter((file) => !existsSync(file));
if (missing.length > 0)
  throw new Error(
    `src/build-bundle.ts lists modules that do not exist: ${missing.join(', ')}. Update the list.`,
  );

/**
 * Modules that every check needs, whatever the format of the documentation and of the report. Those of the format `github`
 * are among them: it judges what another builder publishes inside or beside the pages of any format.
 */
const CHECK = [
  /[\\/]dist[\\/]cli[\\/]check[\\/](?!base-tree|compare-with-base|fix-links|print[\\/](?:github|junit|sarif))/,
  /[\\/]dist[\\/]content[\\/](?!compare[\\/]|fix[\\/]|move[\\/]|render[\\/]|dialect[\\/]|toml[\\/]|formats[\\/](?!github[\\/])[\w-]+[\\/])/,
  /[\\/]node_modules[\\/]github-slugger[\\/]/,
];

/** Modules that parse pages, which a check of files with cached facts does not need. */
const READER = [
  /[\\/]dist[\\/]content[\\/]parse[\\/]/,
  /[\\/]dist[\\/]content[\\/]ignore[\\/]read-ignore-comments\.js$/,
  /[\\/]node_modules[\\/]satteri[\\/]/,
];

const bundle = await rolldown({
  input: { program: 'dist/cli/program.js' },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: (id) => UNBUNDLED.test(id) || NATIVE.test(id),
  // Loading our modules has no side effects, so exports of index files that are not used here are dropped.
  treeshake: { moduleSideEffects: [{ test: /[\\/]dist[\\/](?!cli[\\/])/, sideEffects: false }] },
});
await bundle.write({
  // One folder, so that relative paths such as `../../package.json` work from every file.
  dir: 'dist/cli',
  // CommonJS, because Node loads it and its own modules faster than ECMAScript modules.
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  hashCharacters: 'hex',
  cleanDir: false,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'reader', test: isReader },
      { name: 'answer', test: isAnswer },
      {
        name: 'check',
        test: (id) => !isReader(id) && !isAnswer(id) && CHECK.some((pattern) => pattern.test(id)),
      },
      { name: 'yaml', test: /[\\/]node_modules[\\/]yaml[\\/]/ },
      { name: 'parse5', test: /[\\/]node_modules[\\/](?:parse5|entities)[\\/]/ },
    ],
  },
});
await bundle.close();
writeFileSync(
  'dist/cli/program.js',
  `const { createRequire } = process.getBuiltinModule('node:module');
export const { runProgram } = createRequire(import.meta.url)('./program.cjs');
`,
);
writeFileSync('dist/cli/engine.digest', digestOfEngine());

function isReader(id: string): boolean {
  return READER.some((pattern) => pattern.test(id));
}

function isAnswer(id: string): boolean {
  return ANSWER.includes(id) || /[\\/]dist[\\/]content[\\/]model/.test(id);
}

/** Cached facts are valid for one version of this code and of the native parsers, which are not part of the bundle. */
function digestOfEngine(): string {
  const hash = createHash('sha256');
  for (const name of ['satteri', 'oxc-parser'])
    hash.update(readFileSync(`node_modules/${name}/package.json`));
  const names = readdirSync('dist/cli').filter((name) => /\.c?js$/.test(name));
  for (const name of names.sort()) hash.update(name).update(readFileSync(`dist/cli/${name}`));
  return hash.digest('hex');
}
