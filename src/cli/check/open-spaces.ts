import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { IgnoreRule } from '../../content/ignore/index.ts';
import { type DetectedSpace, detectSpaces, type ReadBlobs, type TreeEntry } from '../../content/index.ts';
import { MAX_CONFIG_TEXT_BYTES } from '../../content/model/index.ts';
import { UsageError } from '../command.ts';
import type { CheckNotice } from './check-result.ts';
import { readFrom } from './read-from.ts';
import { insideRoot, locateScope } from './scopes.ts';
import type { WorkTree } from './work-tree.ts';

export const DOCLOOM_CONFIG = '.github/docloom.yml';

/** The parts of a repository, by its configuration and its files. */
export interface Spaces {
  /** All of its parts, also those that are not spaces. */
  readonly spaces: readonly DetectedSpace[];
  readonly ignore: readonly IgnoreRule[];
  /** The policy for addresses that a change removes. */
  readonly lostAddresses: 'report' | 'fail' | 'off';
  /** The configuration file, as reports name it. */
  readonly configFile: string;
  /** Whether that file declares the spaces. */
  readonly isDeclared: boolean;
  /** Problems of the configuration. */
  readonly problems: readonly CheckNotice[];
}

/** A tree whose files can be read: a work tree, or that of a commit. */
export interface ReadableTree {
  readonly entries: readonly TreeEntry[];
  readonly read: ReadBlobs;
}

/**
 * Finds the spaces of a work tree, from the configuration file or else from its files, and what is outside of them.
 * `config` names another configuration file, relative to `cwd`. Throws `UsageError` for an unusable file.
 */
export async function openSpaces(tree: WorkTree, config: string | null, cwd: string): Promise<Spaces> {
  const readable = { entries: tree.entries, read: readFrom(tree) };
  const found = config === null ? await readOwnConfig(readable) : await readNamedConfig(config, tree, cwd);
  return await readSpaces(readable, found);
}

/**
 * Finds the spaces of the base tree by its own configuration: the effect of a change to that file then counts as an effect
 * of the change. If that file is unusable, or `config` names one for both trees, the spaces of `head` are used.
 */
export async function openBaseSpaces(
  base: ReadableTree,
  head: Spaces,
  config: string | null,
): Promise<Spaces> {
  try {
    if (config === null) return await readSpaces(base, await readOwnConfig(base));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return head;
}

async function readSpaces(tree: ReadableTree, found: ConfigFile | null): Promise<Spaces> {
  const files = { tree: tree.entries, read: tree.read };
  if (found === null) {
    const spaces = await detectSpaces(files);
    const problems = explainMisplaced(tree.entries);
    const lostAddresses = 'report';
    return { spaces, ignore: [], lostAddresses, configFile: DOCLOOM_CONFIG, isDeclared: false, problems };
  }
  // Imported late: it loads the YAML parser and the schema validation.
  const { declaredSpaces, parseConfig } = await import('../../config/index.ts');
  const parsed = parseConfig(textOf(found));
  if ('problems' in parsed) {
    throw new UsageError(
      parsed.problems
        .map(({ message, line, column }) => `${found.name}:${line}:${column}: ${message}`)
        .join('\n'),
    );
  }
  const { config } = parsed;
  const declared = declaredSpaces(config);
  const spaces = await detectSpaces(declared === null ? files : { ...files, declared });
  const { ignore, 'lost-addresses': lostAddresses } = config.checks;
  const isDeclared = declared !== null;
  return { spaces, ignore, lostAddresses, configFile: found.name, isDeclared, problems: [] };
}

/** Files that people may mistake for the configuration. */
function explainMisplaced(entries: readonly TreeEntry[]): readonly CheckNotice[] {
  const found = entries.find(({ path }) => /^(?:\.github\/)?\.?docloom\.ya?ml$/.test(path));
  if (found === undefined) return [];
  const message = `This file is not read. Move it to ${DOCLOOM_CONFIG}, or name it with --config.`;
  return [{ file: found.path, line: null, rule: 'misplaced-config', message }];
}

interface ConfigFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function textOf({ name, bytes }: ConfigFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not UTF-8 text. Save it as UTF-8.`);
  }
}

async function readOwnConfig({ entries, read }: ReadableTree): Promise<ConfigFile | null> {
  const entry = entries.find((entry) => entry.path === DOCLOOM_CONFIG);
  if (entry === undefined) return null;
  if (entry.mode === 'symlink' || entry.mode === 'submodule') {
    throw new UsageError(`${DOCLOOM_CONFIG} must be a file of its own, not a link.`);
  }
  if ((entry.size ?? 0) > MAX_CONFIG_TEXT_BYTES) throw tooLarge(DOCLOOM_CONFIG);
  for await (const { bytes } of read([entry])) return { name: DOCLOOM_CONFIG, bytes };
  throw new UsageError(`${DOCLOOM_CONFIG} may not be read.`);
}

async function readNamedConfig(config: string, tree: WorkTree, cwd: string): Promise<ConfigFile> {
  const bytes = await readAtMost(path.resolve(cwd, config), MAX_CONFIG_TEXT_BYTES + 1);
  if (bytes === null) throw new UsageError(`--config: ${config} cannot be read. Name a docloom.yml file.`);
  if (bytes.length > MAX_CONFIG_TEXT_BYTES) throw tooLarge(config);
  return { name: await nameOf(tree, config, cwd), bytes };
}

function tooLarge(name: string): UsageError {
  return new UsageError(
    `${name} is larger than ${MAX_CONFIG_TEXT_BYTES / 1024} KB. Name a docloom.yml file.`,
  );
}

/** The start of a file or pipe; null when it cannot be read. */
async function readAtMost(file: string, limit: number): Promise<Uint8Array | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(file, { end: limit - 1 })) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return null;
  }
}

/** Relative to the root if the file is inside it, else as written. */
async function nameOf(tree: WorkTree, config: string, cwd: string): Promise<string> {
  try {
    return insideRoot(await locateScope(config, cwd), tree.root);
  } catch {
    return config;
  }
}
