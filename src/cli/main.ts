#!/usr/bin/env node
/**
 * The `docloom` command. This file runs on any Node: if the one that started it is too old, it starts itself
 * again with the Node that the project installs, so that `dist/cli/main.js` works as it is.
 */
import type { ResolveFnOutput } from 'node:module';
import { cacheFolder } from './cache-folder.ts';

const NEEDED = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  enableCompileCache();
  resolveDrizzleOnce();
  const { runProgram } = await import('./program.ts');
  await runProgram(process.argv.slice(2));
} else {
  await restart();
}

/** Lets Node cache the compiled code of the modules, which takes a third off a short run. */
function enableCompileCache(): void {
  const folder = cacheFolder(process.env);
  // Not imported: as ES modules, Node's own take longer to load.
  if (folder !== null) process.getBuiltinModule('node:module').enableCompileCache(folder);
}

/**
 * For each import of a package and each module in one, Node parses the package.json of the package again, and that of
 * drizzle-orm lists a thousand files: 0.7 s of every command with a database. Imports between its modules are already
 * resolved paths, and what our modules import from it is resolved once.
 */
function resolveDrizzleOnce(): void {
  const resolved = new Map<string, ResolveFnOutput>();
  process.getBuiltinModule('node:module').registerHooks({
    resolve(specifier, context, nextResolve) {
      if (context.parentURL?.includes('/node_modules/')) {
        return context.parentURL.includes('/node_modules/drizzle-orm/') && /^\.\.?\/.*\.js$/.test(specifier)
          ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
          : nextResolve(specifier, context);
      }
      if (!specifier.startsWith('drizzle-orm')) return nextResolve(specifier, context);
      const known = resolved.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true };
      resolved.set(specifier, known);
      return known;
    },
  });
}

async function restart(): Promise<void> {
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
  if (existsSync(node)) return await restartWith(node, fileURLToPath(import.meta.url));
  console.error(
    `docloom needs Node ${NEEDED.join('.')} or newer, but this is ${process.versions.node}: install a newer Node, or run \`npm ci\` in the project, which brings one.`,
  );
  process.exitCode = 2;
}

/** Continues in another Node; signals are passed on, and its exit code becomes ours. */
async function restartWith(node: string, script: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`docloom could not start ${node}: ${error.message}`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    process.exitCode = code ?? 1;
  });
}
