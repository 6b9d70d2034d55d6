/**
 * Joins the compiled modules of the commands that read a work tree (`check`, `backlinks`, `mv`), and the packages they
 * use, into few files beside `dist/cli/main.js`: opening two hundred files takes longer than checking a small repository.
 * The other commands stay as they were compiled, and are loaded from there when they are called.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

/**
 * Commands with the server, the database or a forge behind them, some of which find their files by their own place; and
 * what asks other sites, which few checks do.
 */
const UNBUNDLED = /[\\/]cli[\\/](?:commands[\\/](?!(?:check|backlinks|mv)\.js$)|external[\\/])/;

/** Loaded as it was installed, and only where a configuration is a program. */
const NATIVE = /^oxc-parser$/;

/** What lists the files and tells an answer, which a check of files that did not change does with. */
const ANSWER = [
  /[\\/]dist[\\/]cli[\\/](?:commands[\\/]check|cache-folder)\.js$/,
  /[\\/]dist[\\/]cli[\\/]check[\\/](?:check-or-recall|kept-|list-with-git|open-paths|own-oid|passed-over|read-(?:origin|plain|remote)|repository-address|run-git|scopes|show-progress|tree-signature|work-tree)/,
  /[\\/]dist[\\/]cli[\\/]check[\\/]print[\\/](?:index|json|pretty|report)\.js$/,
  /[\\/]dist[\\/]git[\\/]object-oid\.js$/,
  /[\\/]dist[\\/]content[\\/](?:model|text[\\/]nearest-word)/,
];

/** What every check needs, whatever the format of the documentation and of the report. */
const CHECK = [
  /[\\/]dist[\\/]cli[\\/]check[\\/](?!base-tree|compare-with-base|fix-links|print[\\/](?:github|junit|sarif))/,
  /[\\/]dist[\\/]content[\\/](?!compare[\\/]|fix[\\/]|move[\\/]|render[\\/]|dialect[\\/]|formats[\\/][\w-]+[\\/])/,
  /[\\/]node_modules[\\/]github-slugger[\\/]/,
];

/** What reads pages, which a check of files that are known already does without. */
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
  // Our modules do nothing when they are loaded, so what an index file names and nobody here uses is left out.
  treeshake: { moduleSideEffects: [{ test: /[\\/]dist[\\/](?!cli[\\/])/, sideEffects: false }] },
});
await bundle.write({
  // Flat, so that what is found by its place (`../../package.json`) is found from every file.
  dir: 'dist/cli',
  // Node loads its own modules, and these, in less time than it takes for ECMAScript modules.
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
      { name: 'check', test: (id) => !isReader(id) && !isAnswer(id) && CHECK.some((one) => one.test(id)) },
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
  return READER.some((one) => one.test(id));
}

function isAnswer(id: string): boolean {
  return ANSWER.some((one) => one.test(id));
}

/** Facts that are kept between runs are those of one version of the code, with the parsers that are no part of it. */
function digestOfEngine(): string {
  const hash = createHash('sha256');
  for (const name of ['satteri', 'oxc-parser'])
    hash.update(readFileSync(`node_modules/${name}/package.json`));
  const names = readdirSync('dist/cli').filter((name) => /\.c?js$/.test(name));
  for (const name of names.sort()) hash.update(name).update(readFileSync(`dist/cli/${name}`));
  return hash.digest('hex');
}
