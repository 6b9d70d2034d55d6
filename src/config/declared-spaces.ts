import type { DeclaredSpace } from '../content/model/index.ts';
import type { Config, SpaceConfig } from './config-schema.ts';
import { overlap } from './find-conflicts.ts';

/** The spaces that show a branch. */
export function spacesOn(
  { spaces }: Pick<Config, 'spaces'>,
  branch: string,
  defaultBranch: string,
): readonly SpaceConfig[] {
  return spaces.filter((space) => (space.branch ?? defaultBranch) === branch);
}

/**
 * The spaces for a tree whose branch is not known: those of the default branch, and those of other branches that do not
 * overlap with them. Null when the configuration declares none, so that the spaces are detected from the files.
 */
export function declaredSpaces({ spaces }: Pick<Config, 'spaces'>): readonly DeclaredSpace[] | null {
  if (spaces.length === 0) return null;
  const selected: SpaceConfig[] = [];
  for (const space of spaces.toSorted((a, b) => Number('branch' in a) - Number('branch' in b))) {
    if (!selected.some(({ directory }) => overlap(directory, space.directory))) selected.push(space);
  }
  return selected.map(({ directory, title, format }) => ({
    directory,
    title: title ?? null,
    ...(format === undefined ? {} : { format }),
  }));
}
