/**
 * Preloaded by test workers and by programs that tests start: resolves what is imported from drizzle-orm once. Its
 * package.json has 180 KB, which Node.js parses again for each import that names the package or is in one of its files;
 * that is most of the processor time that loading `src/store` takes.
 */
import * as nodeModule from 'node:module';

const FOLDER = '/node_modules/drizzle-orm/';
const known = new Map<string, nodeModule.ResolveFnOutput>();

// Absent before Node.js 22.15, which some program on the PATH may be.
nodeModule.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    // Its files are modules, and import each other by their full names.
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes(FOLDER))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    if (!/^drizzle-orm(?:\/|$)/.test(specifier) || context.conditions.includes('require'))
      return nextResolve(specifier, context);
    const resolved = known.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true };
    known.set(specifier, resolved);
    return resolved;
  },
});
