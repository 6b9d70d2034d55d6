import type { FoundSpace } from '../format-port/index.ts';
import type { DeclaredSpace, DetectedSpace, FormatName, RepoPath, TreeEntry } from '../model/index.ts';
import { isExampleFolder, isInside, isLeftOut, isPageFile } from '../tree/index.ts';

/** A sign of a space, and the format that read it. */
export type Candidate = FoundSpace & { readonly format: FormatName };

/** No repository has more; the files of further ones belong to what is around them. */
const MAX_SPACES = 50;
const MAX_ASIDES = 200;

/** Of what the files show, the spaces, the sites that are none, and the files around them. */
export function chooseSpaces(
  found: readonly Candidate[],
  tree: readonly TreeEntry[],
): readonly DetectedSpace[] {
  const sure = found.filter((one) => one.isFaint !== true);
  const examples = sure.filter(({ directory }) => isExampleFolder(directory)).slice(0, MAX_ASIDES);
  const published = sure.filter(({ directory }) => !isExampleFolder(directory));
  const faint = found.filter(
    (one) => one.format === found.find(({ isFaint }) => isFaint === true)?.format && one.isFaint === true,
  );
  if (published.length > 0) return withRest([...asSpaces(published), ...examples.map(asAside)]);
  // A repository of nothing but examples is about them.
  if (examples.length > 0 && !hasPagesOutside(tree, examples)) return withRest(asSpaces(examples));
  return withRest([...asSpaces(faint), ...examples.map(asAside)]);
}

/**
 * The declared spaces, each in the format that it names or that its files show. Sites that are not declared are no
 * spaces, and a declared folder is one space with all that is in it.
 */
export function declareSpaces(
  declared: readonly DeclaredSpace[],
  found: readonly Candidate[],
): readonly DetectedSpace[] {
  const certain = new Map(
    found
      .filter((one) => one.isGuess !== true)
      .map((one) => [one.directory, one.format] as const)
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
      !spaces.some((one) => one.directory === directory || isInside(directory, one.directory)),
  );
  return withRest([...spaces, ...asides.map(asAside)]).map((one) => ({
    ...one,
    isChecked: one.role === 'space',
  }));
}

function asSpaces(found: readonly Candidate[]): readonly DetectedSpace[] {
  const spaces = found.map(({ directory, title, format }) => ({
    directory,
    title,
    format,
    role: 'space' as const,
    isChecked: true,
  }));
  return firstOfEach(spaces).slice(0, MAX_SPACES);
}

function asAside({ directory, title, format }: Candidate): DetectedSpace {
  return { directory, title, format, role: 'aside', isChecked: true };
}

/** A folder belongs to the first that claims it. In the order of their directories, what is around them last. */
function withRest(claims: readonly DetectedSpace[]): readonly DetectedSpace[] {
  const claimed = firstOfEach(claims);
  const asides = claimed.filter((one) => one.role === 'aside').slice(0, MAX_ASIDES);
  const parts = [...claimed.filter((one) => one.role === 'space'), ...asides].sort((a, b) =>
    a.directory < b.directory ? -1 : 1,
  );
  if (parts.some((one) => one.directory === '')) return parts;
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
