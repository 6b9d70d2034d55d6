import type { TreeEntry } from '../model.ts';
import { type ReadBlobs, untilRead } from '../read-texts.ts';
import { treeIndexOf } from '../tree/tree-index.ts';
import type { Format, FoundSpace } from './format.ts';
import { type FormatName, type FormatRow, formats } from './index.ts';
import { repositoryFiles } from './repository-files.ts';

/** One space of a repository. */
export interface DetectedSpace {
  /** Without slashes at the ends; empty for the root. */
  readonly directory: string;
  /** Null when neither the configuration nor the builder's files name it. */
  readonly title: string | null;
  readonly format: FormatName;
}

/** Spaces as `docloom.yml` declares them. */
export interface DeclaredSpace {
  readonly directory: string;
  readonly title: string;
  /** Left out to take what the files show. */
  readonly format?: FormatName;
}

/** No repository has more; further ones are left to the spaces around them. */
const MAX_DETECTED = 50;

/**
 * The spaces of a repository: those of its configuration, each in the format that it names or that its files show;
 * without a configuration those that the files show; else the whole repository as plain Markdown. In the order of
 * their directories. Reads the builders' configuration files alone.
 */
export async function detectSpaces(options: {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly declared?: readonly DeclaredSpace[];
}): Promise<readonly DetectedSpace[]> {
  const { tree, read, declared } = options;
  if (declared?.every((one) => one.format !== undefined)) return declared.map(asDeclared);
  const index = treeIndexOf(tree);
  const rows: readonly FormatRow[] = formats;
  const shown = rows.filter(
    ({ signs }) => signs.length === 0 || signs.some((sign) => index.named(sign).length > 0),
  );
  const loaded = await Promise.all(
    shown.map(async (row) => ({ name: row.name as FormatName, format: await row.load() })),
  );
  const found = await untilRead(read, (textOf) => {
    const files = repositoryFiles(tree, textOf);
    const all = loaded.flatMap(({ name, format }) => findSpaces(name, format, files));
    return async () => all;
  });
  if (declared !== undefined) {
    const certain = new Map(
      found
        .filter((one) => one.isGuess !== true)
        .map((one) => [one.directory, one.format] as const)
        .reverse(),
    );
    return declared.map((one) => ({
      ...asDeclared(one),
      format: one.format ?? certain.get(one.directory) ?? 'github',
    }));
  }
  return choose(found);
}

type Candidate = FoundSpace & { readonly format: FormatName };

function findSpaces(
  name: FormatName,
  format: Format,
  files: ReturnType<typeof repositoryFiles>,
): Candidate[] {
  return format.detect(files).map((space) => ({ ...space, format: name }));
}

/** A folder belongs to the first that claims it, and faint signs count only alone, those of the first format. */
function choose(found: readonly Candidate[]): readonly DetectedSpace[] {
  const sure = found.filter((one) => one.isFaint !== true);
  const spaces = new Map<string, DetectedSpace>();
  const faint = found.filter((one) => one.format === found[0]?.format);
  for (const { directory, title, format } of sure.length > 0 ? sure : faint) {
    if (spaces.size < MAX_DETECTED && !spaces.has(directory))
      spaces.set(directory, { directory, title, format });
  }
  return [...spaces.values()].sort((a, b) => (a.directory < b.directory ? -1 : 1));
}

function asDeclared({ directory, title, format = 'github' }: DeclaredSpace): DetectedSpace {
  return { directory, title, format };
}
