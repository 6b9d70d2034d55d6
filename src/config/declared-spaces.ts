import type { DeclaredSpace } from '../content/model/index.ts';
import type { Config, SpaceConfig } from './config-schema.ts';
import { overlap } from './find-conflicts.ts';

/** The spaces that show a branch. */
export function spacesOn(
  { spaces }: Pick<Config, 'spaces'>,
  branch: string,
  defaultBranch: string,
): readonly SpaceConfig[] {
  return spaces.filter((one) => (one.branch ?? defaultBranch) === branch);
}

/**
 * The spaces to read a tree by whose branch is not known: those that follow the default branch, and of the others what
 * does not overlap with them. Null when the configuration declares none, so that the files show what they are.
 */
export function declaredSpaces({ spaces }: Pick<Config, 'spaces'>): readonly DeclaredSpace[] | null {
  if (spaces.length === 0) return null;
  const kept: SpaceConfig[] = [];
  for (const space of spaces.toSorted((a, b) => Number('branch' in a) - Number('branch' in b))) {
    if (!kept.some((one) => overlap(one.directory, space.directory))) kept.push(space);
  }
  return kept.map(({ directory, title, format }) => ({
    directory,
    title: title ?? null,
    ...(format === undefined ? {} : { format }),
  }));
}
