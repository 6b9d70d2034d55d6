import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IgnoreRule } from '../../content/ignore/index.ts';
import { type DetectedSpace, detectSpaces } from '../../content/index.ts';
import { UsageError } from '../command.ts';
import { readFrom } from './read-from.ts';
import { insideRoot, locate } from './scopes.ts';
import type { WorkTree } from './work-tree.ts';

export const CONFIG_FILE = '.github/docloom.yml';

/** What a repository is made of, by its configuration and its files. */
export interface Spaces {
  /** All of its parts, also those that are no spaces. */
  readonly spaces: readonly DetectedSpace[];
  readonly ignore: readonly IgnoreRule[];
  /** The configuration file, as reports name it. */
  readonly configFile: string;
}

/**
 * Finds the spaces of a work tree, those of the configuration file, else those that its files show, and what is beside them. `config` names
 * another configuration file, relative to `cwd`. Throws `UsageError` for a file that cannot be used.
 */
export async function openSpaces(tree: WorkTree, config: string | null, cwd: string): Promise<Spaces> {
  const found = config === null ? await readOwnConfig(tree) : await readNamedConfig(tree, config, cwd);
  const read = readFrom(tree);
  if (found === null) {
    const spaces = await detectSpaces({ tree: tree.entries, read });
    return { spaces, ignore: [], configFile: CONFIG_FILE };
  }
  // Only now: it loads what reads YAML and checks its shape.
  const { parseConfig } = await import('../../content/config/index.ts');
  const parsed = parseConfig(new TextDecoder().decode(found.bytes));
  if ('problems' in parsed) {
    throw new UsageError(
      parsed.problems.map(({ message, line }) => `${found.name}:${line}: ${message}`).join('\n'),
    );
  }
  const { spaces: declared, checks } = parsed.config;
  const spaces = await detectSpaces({
    tree: tree.entries,
    read,
    ...(declared.length === 0 ? {} : { declared }),
  });
  return { spaces, ignore: checks.ignore, configFile: found.name };
}

interface ConfigBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

async function readOwnConfig(tree: WorkTree): Promise<ConfigBytes | null> {
  const entry = tree.entries.find((one) => one.path === CONFIG_FILE);
  const bytes = entry === undefined || entry.mode === 'symlink' ? null : await tree.read(entry);
  return bytes === null ? null : { name: CONFIG_FILE, bytes };
}

async function readNamedConfig(tree: WorkTree, config: string, cwd: string): Promise<ConfigBytes> {
  const bytes = await readFile(path.resolve(cwd, config)).catch(() => null);
  if (bytes === null) throw new UsageError(`--config: ${config} cannot be read. Name a docloom.yml file.`);
  return { name: await nameOf(tree, config, cwd), bytes };
}

/** From the root where the file is inside, else as written. */
async function nameOf(tree: WorkTree, config: string, cwd: string): Promise<string> {
  try {
    return insideRoot(await locate(config, cwd), tree.root);
  } catch {
    return config;
  }
}
