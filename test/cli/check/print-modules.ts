/** Checks a folder with cached facts, and prints the modules that were loaded. Arguments: the folder, and that of the cache. */
import { registerHooks } from 'node:module';

const modules: string[] = [];
registerHooks({
  load(url, context, next) {
    modules.push(url);
    return next(url, context);
  },
});
const { checkWorkTree } = await import('../../../src/cli/check/check-tree.ts');
const { openPaths } = await import('../../../src/cli/check/open-paths.ts');

const [, , cwd = '', facts = ''] = process.argv;
const io = { cwd, env: {}, signal: new AbortController().signal };
const input = { base: null, config: null, today: '2026-01-01', facts: { folder: facts, digest: 'one' } };
const { result } = await checkWorkTree(input, openPaths(['.'], io, { exactOids: 'pages' }), io);
console.log(JSON.stringify({ files: result.files, modules }));
