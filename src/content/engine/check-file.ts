import type { Publication } from '../format-port/index.ts';
import { checkLink, type LinkContext } from '../links/index.ts';
import type { FileFacts, FileProblem, Link, Reference, RepoPath, TreeEntry } from '../model/index.ts';
import type { DependencyRecorder } from './dependency-recorder.ts';
import type { Dependents } from './dependents.ts';

/** One source with its verdicts. */
export interface CheckedFile {
  readonly entry: TreeEntry;
  /** Undefined when the file was not read. */
  readonly facts: FileFacts | undefined;
  readonly links: readonly Link[];
  /** Those that are broken. */
  readonly broken: readonly Link[];
  readonly parts: readonly CheckedPart[];
}

/** Some references of a source one after the other, which are judged together. */
export interface CheckedPart {
  readonly file: RepoPath;
  /** Which part of the file it is. */
  readonly at: number;
  readonly links: readonly Link[];
  /** What looking for suggestions took. */
  readonly steps: number;
}

/** Notes what verdicts depend on. */
export interface DependencyTracking {
  readonly recorder: DependencyRecorder;
  readonly dependents: Dependents<CheckedPart>;
}

const NONE: readonly Link[] = [];

/** References of one part: a table of contents of thousands is not judged whole because of one of them. */
const PART_SIZE = 32;

/** Judges the references of one source; those of the parts that `keep` answers have the verdicts that they had. */
export function checkFile(
  context: LinkContext,
  publication: Publication,
  entry: TreeEntry,
  tracking: DependencyTracking | null,
  keep: (at: number) => CheckedPart | undefined = () => undefined,
): CheckedFile {
  const facts = context.factsOf(entry);
  const references = facts?.references ?? [];
  const parts: CheckedPart[] = [];
  // A source without references has a part too: its rules may change.
  for (let start = 0; start === 0 || start < references.length; start += PART_SIZE) {
    const some = references.length <= PART_SIZE ? references : references.slice(start, start + PART_SIZE);
    parts.push(
      keep(parts.length) ?? checkPart(context, publication, entry.path, parts.length, some, tracking),
    );
  }
  const [only] = parts;
  const links = parts.length === 1 && only !== undefined ? only.links : parts.flatMap((part) => part.links);
  const broken = links.filter((link) => link.status === 'broken');
  return { entry, facts, links, broken: broken.length === 0 ? NONE : broken, parts };
}

function checkPart(
  context: LinkContext,
  publication: Publication,
  file: RepoPath,
  at: number,
  references: readonly Reference[],
  tracking: DependencyTracking | null,
): CheckedPart {
  const spent = context.budget.spent;
  const check = () => {
    const rules = publication.rulesOf(file);
    const links: Link[] = [];
    for (const reference of references) {
      if (publication.skips?.(file, reference) === true) continue;
      links.push(checkLink(context, rules, file, reference));
    }
    return links;
  };
  if (tracking === null) return { file, at, links: check(), steps: 0 };
  const { answer, dependencies } = tracking.recorder.record(check);
  const part: CheckedPart = { file, at, links: answer, steps: context.budget.spent - spent };
  tracking.dependents.add(part, dependencies);
  return part;
}

/** What looking for suggestions took in a whole file. */
export function stepsOf(file: CheckedFile | undefined): number {
  return (file?.parts ?? []).reduce((sum, part) => sum + part.steps, 0);
}

/** What is wrong with a source itself. */
export function problemsOf({ entry, facts }: Pick<CheckedFile, 'entry' | 'facts'>): readonly FileProblem[] {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}
