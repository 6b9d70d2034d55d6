import type { FoundSpace } from '../format-port/index.ts';
import type { DeclaredSpace, DetectedSpace, FormatName, RepoPath, TreeEntry } from '../model/index.ts';
import { isExampleFolder, isInside, isLeftOut, isPageFile, isTestFixture } from '../tree/index.ts';

/** A possible space and the format that detected it. */
export type Candidate = FoundSpace & { readonly format: FormatName };

/** Spaces and sites beyond these numbers are not separate: their files belong to what is around them. */
const MAX_SPACES = 50;
const MAX_ASIDES = 200;

/** Chooses the spaces among the candidates, the sites that are not documentation, and the files around them. */
export function chooseSpaces(
  found: readonly Candidate[],
  tree: readonly TreeEntry[],
): readonly DetectedSpace[] {
  const sure = found.filter(({ isFaint }) => isFaint !== true);
  const examples = sure.filter(({ directory }) => isExampleFolder(directory)).slice(0, MAX_ASIDES);
  const published = sure.filter(({ directory }) => !isExampleFolder(directory));
  const allFaint = found.filter(({ isFaint }) => isFaint === true);
  const faint = allFaint.filter(({ format }) => format === allFaint[0]?.format);
  if (published.length > 0) return withRest([...asSpaces(published), ...examples.map(asAside)]);
  // In a repository of nothing but examples, they are the documentation.
  if (examples.length > 0 && !hasPagesOutside(tree, examples)) return withRest(asSpaces(examples));
  return withRest([...asSpaces(faint), ...examples.map(asAside)]);
}

/**
 * Returns the declared spaces, each in the format that it names or that is detected from its files. Sites that are not
 * declared are not spaces, and a declared folder is one space with everything in it.
 */
export function declareSpaces(
  declared: readonly DeclaredSpace[],
  found: readonly Candidate[],
): readonly DetectedSpace[] {
  const certain = new Map(
    found
      .filter(({ isGuess }) => isGuess !== true)
      .map(({ directory, format }) => [directory, format] as const)
      .reverse(),
  );
  const spaces = declared.map(({ directory, title, format }) => ({
    directory,
    title,
    format: format ?? certain.get(directory) ?? 'github',
    role: 'space' as const,
    isChecked: true,
  }));
  const asides = found.filter(
    ({ directory, isFaint, isGuess }) =>
      isFaint !== true &&
      isGuess !== true &&
      !spaces.some((space) => space.directory === directory || isInside(directory, space.directory)),
  );
  return withRest([...spaces, ...asides.map(asAside)]).map((part) => ({
    ...part,
    isChecked: part.role === 'space',
  }));
}

function asSpaces(found: readonly Candidate[]): readonly DetectedSpace[] {
  const spaces = found.map(({ directory, title, format, position }) => ({
    directory,
    title,
    format,
    ...(position !== undefined && { position }),
    role: 'space' as const,
    isChecked: true,
  }));
  return firstOfEach(spaces).slice(0, MAX_SPACES);
}

function asAside({ directory, title, format }: Candidate): DetectedSpace {
  return { directory, title, format, role: 'aside', isChecked: !isTestFixture(`${directory}/x`) };
}

/** A folder belongs to the first claim. Sorted by directory, with the part around them last. */
function withRest(claims: readonly DetectedSpace[]): readonly DetectedSpace[] {
  const claimed = firstOfEach(claims);
  const asides = claimed.filter(({ role }) => role === 'aside').slice(0, MAX_ASIDES);
  const parts = [...claimed.filter(({ role }) => role === 'space'), ...asides].sort((a, b) =>
    a.directory < b.directory ? -1 : 1,
  );
  if (parts.some(({ directory }) => directory === '')) return parts;
  return [...parts, { directory: '', title: null, format: 'github', role: 'rest', isChecked: true }];
}

function firstOfEach(spaces: readonly DetectedSpace[]): readonly DetectedSpace[] {
  const first = new Map<RepoPath, DetectedSpace>();
  for (const space of spaces) if (!first.has(space.directory)) first.set(space.directory, space);
  return [...first.values()];
}

function hasPagesOutside(tree: readonly TreeEntry[], spaces: readonly Candidate[]): boolean {
  return tree.some(
    ({ path }) =>
      isPageFile(path) && !isLeftOut(path) && !spaces.some(({ directory }) => isInside(path, directory)),
  );
}
