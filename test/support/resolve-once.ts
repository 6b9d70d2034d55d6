/**
 * Preloaded by test workers and by programs that tests start, which all load thousands of the same modules: what needs no
 * look at the disk is resolved without one. The package.json of drizzle-orm has 180 KB, too, which Node.js parses again for
 * each import that names the package or is in one of its files.
 */
import * as nodeModule from 'node:module';

/** Packages whose files are modules, and import each other by their full names. */
const MODULES = /\/node_modules\/(?:drizzle-orm|typebox)\//;
/** The files in it import each other by their full names, and see the same packages. */
const SOURCES = new URL('../../src/', import.meta.url).href;
const known = new Map<string, nodeModule.ResolveFnOutput>();

// Absent before Node.js 22.15, which some program on the PATH may be.
nodeModule.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '', conditions } = context;
    const format = formatBeside(specifier, parentURL);
    if (format !== null) return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    const isPackage = !/^(?:\.|\/|#|[a-z]+:)/.test(specifier);
    const isSame = parentURL.startsWith(SOURCES) || /^drizzle-orm(?:\/|$)/.test(specifier);
    if (!isPackage || !isSame || conditions.includes('require')) return nextResolve(specifier, context);
    const resolved = known.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true };
    known.set(specifier, resolved);
    return resolved;
  },
});

/** The format of a file that another one imports by its full name; null where Node.js has to look. */
function formatBeside(specifier: string, parent: string): 'module' | 'module-typescript' | null {
  if (!specifier.startsWith('.')) return null;
  if (specifier.endsWith('.ts') && parent.startsWith(SOURCES)) return 'module-typescript';
  return /\.m?js$/.test(specifier) && MODULES.test(parent) ? 'module' : null;
}
