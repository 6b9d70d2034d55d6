/**
 * Joins the compiled modules of the commands that read a work tree (`check`, `backlinks`, `mv`), and the packages they
 * use, into few files beside `dist/cli/main.js`: opening two hundred files takes longer than checking a small repository.
 * The other commands stay as they were compiled, and are loaded from there when they are called.
 */
import { rolldown } from 'rolldown';

/** Commands with the server, the database or a forge behind them, some of which find their files by their own place. */
const UNBUNDLED = /[\\/]cli[\\/]commands[\\/](?:serve|token|jobs|sandbox|demo)\.js$/;

/** What every check needs, whatever the format of the documentation and of the report. */
const CHECK = [
  /[\\/]dist[\\/]cli[\\/]commands[\\/]check\.js$/,
  /[\\/]dist[\\/]cli[\\/]check[\\/](?!base-tree|fix-links|print[\\/](?:github|junit|sarif))/,
  /[\\/]dist[\\/]content[\\/](?!config[\\/]|fix[\\/]|render[\\/]|formats[\\/][\w-]+[\\/])/,
  /[\\/]node_modules[\\/](?:satteri|github-slugger)[\\/]/,
];

const bundle = await rolldown({
  input: { program: 'dist/cli/program.js' },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: (id) => UNBUNDLED.test(id),
});
await bundle.write({
  // Flat, so that what is found by its place (`../../package.json`) is found from every file.
  dir: 'dist/cli',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  hashCharacters: 'hex',
  cleanDir: false,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'check', test: (id) => CHECK.some((one) => one.test(id)) },
      { name: 'yaml', test: /[\\/]node_modules[\\/]yaml[\\/]/ },
      { name: 'parse5', test: /[\\/]node_modules[\\/](?:parse5|entities)[\\/]/ },
    ],
  },
});
await bundle.close();
