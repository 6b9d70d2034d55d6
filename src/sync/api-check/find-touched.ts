import { type OpenApiConfig, parseConfig } from '../../config/index.ts';
import type { BreakingChanges } from '../../content/report/index.ts';
import { CONFIG_PATH, type CommitFiles } from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';
import { type Database, loadOpenApiSource } from '../../store/index.ts';
import type { SpecThread } from '../openapi/open-spec-thread.ts';
import { readSpecFiles } from '../openapi/read-spec-files.ts';

/** A specification that a pull request affects. */
export interface TouchedSpec {
  readonly name: string;
  /** Its file in the base; null where the base has none. */
  readonly old: string | null;
  /** Its file in the head; null where the head's configuration names none. */
  readonly next: string | null;
  /** The line of the head's configuration that names it, from 1. */
  readonly line: number;
  readonly breakingChanges: BreakingChanges;
}

export interface ApiSides {
  readonly base: CommitFiles;
  readonly head: CommitFiles;
}

export interface TouchedDeps {
  readonly db: Database;
  readonly repositoryId: number;
  /** The configuration in force. */
  readonly configText: string | null;
  readonly thread: SpecThread;
  readonly signal: AbortSignal;
}

/**
 * The specifications that a pull request touches: by changing one of their files, including those that they refer to, or
 * their entry in the configuration. Each side is read by its own configuration; but the configuration in force decides what
 * a breaking change means, so that no pull request can exempt itself, and a change of the setting applies at once.
 */
export async function findTouched(
  deps: TouchedDeps,
  { base, head }: ApiSides,
): Promise<readonly TouchedSpec[]> {
  const inForce = entriesOf(deps.configText ?? '') ?? [];
  const before = (await readEntries(base)) ?? inForce;
  const after = (await readEntries(head)) ?? before;
  const isChanged = (path: string) => {
    const [was, is] = [base.entries.get(path), head.entries.get(path)];
    return was?.oid !== is?.oid || was?.mode !== is?.mode;
  };
  const hasChange = [...base.entries.keys(), ...head.entries.keys()].some(isChanged);
  if (!hasChange) return [];
  const touched: TouchedSpec[] = [];
  for (const name of new Set([...before, ...after].map(({ name }) => name))) {
    const was = before.find((entry) => entry.name === name);
    const is = after.find((entry) => entry.name === name);
    const applied = inForce.find((entry) => entry.name === name);
    if (was?.file === undefined && is?.file === undefined) continue;
    const spec = {
      name,
      old: was?.file !== undefined && base.entries.has(was.file) ? was.file : null,
      next: is?.file ?? null,
      line: is?.line ?? 1,
      breakingChanges: (applied ?? was ?? is)?.['breaking-changes'] ?? 'fail',
    };
    const isSame = was?.file !== undefined && was.file === is?.file;
    if (!isSame || isChanged(was.file)) touched.push({ ...spec, old: spec.old ?? oldOf(spec.next, base) });
    else if ((await filesOf(deps, base, name, was.file)).some(isChanged)) touched.push(spec);
  }
  return touched;
}

/** A file that the configuration names only now may have existed before. */
function oldOf(file: string | null, { entries }: CommitFiles): string | null {
  return file !== null && entries.has(file) ? file : null;
}

/** The specifications in a commit's configuration; null when it cannot be read. */
async function readEntries({ entries, read }: CommitFiles): Promise<readonly OpenApiConfig[] | null> {
  const entry = entries.get(CONFIG_PATH);
  if (entry === undefined) return [];
  if (entry.mode === 'symlink' || entry.mode === 'submodule') return null;
  const bytes = await read(entry);
  return bytes === null ? null : entriesOf(new TextDecoder().decode(bytes));
}

function entriesOf(text: string): readonly OpenApiConfig[] | null {
  const parsed = parseConfig(text);
  return 'problems' in parsed ? null : parsed.config.openapi;
}

/** All files that a specification of the base reads. They are stored when it was uploaded to the platform. */
async function filesOf(
  { db, repositoryId, thread, signal }: TouchedDeps,
  base: CommitFiles,
  name: string,
  file: string,
): Promise<readonly string[]> {
  const known = await loadOpenApiSource(db, name);
  if (known?.repositoryId === repositoryId && known.source === file) {
    const stored = Object.entries(known.files);
    const isCurrent = stored.every(([path, oid]) => (base.entries.get(path)?.oid ?? null) === oid);
    // Which files a specification reads depends only on their contents.
    if (isCurrent && stored.length > 0) return stored.map(([path]) => path);
  }
  const files = readSpecFiles(base);
  try {
    await thread.check({ old: null, next: file }, (_side, path) => files.read(path), signal);
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
  }
  return [...files.oids.keys()];
}
