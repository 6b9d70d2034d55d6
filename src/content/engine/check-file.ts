import type { Publication } from '../format-port/index.ts';
import { checkLink, type LinkContext } from '../links/index.ts';
import type { FileFacts, FileProblem, Link, Reference, RepoPath, TreeEntry } from '../model/index.ts';
import type { DependencyRecorder } from './dependency-recorder.ts';
import type { Dependents } from './dependents.ts';
import type { Steps } from './steps.ts';

/** A source with its verdicts. */
export interface CheckedFile {
  readonly entry: TreeEntry;
  /** Undefined when the file was not read. */
  readonly facts: FileFacts | undefined;
  readonly links: readonly Link[];
  /** The broken ones among `links`. */
  readonly broken: readonly Link[];
  readonly parts: readonly CheckedPart[];
}

/** Consecutive references of a source that are checked together. */
export interface CheckedPart {
  readonly file: RepoPath;
  /** The index of the part in its file. */
  readonly at: number;
  readonly links: readonly Link[];
  /** The steps that the search for suggestions used. */
  readonly steps: number;
}

/** Records what verdicts depend on. */
export interface DependencyTracking {
  readonly recorder: DependencyRecorder;
  readonly dependents: Dependents<CheckedPart>;
}

const NONE: readonly Link[] = [];

/** References of one part: a table of contents with thousands of links is not checked as a whole because of one of them. */
const PART_SIZE = 32;

/** Checks the references of one source, a part in each step. Parts that `reuse` returns are used as they are. */
export function* checkFile(
  context: LinkContext,
  publication: Publication,
  entry: TreeEntry,
  tracking: DependencyTracking | null,
  reuse: (at: number) => CheckedPart | undefined = () => undefined,
): Steps<CheckedFile> {
  const facts = context.factsOf(entry);
  const references = facts?.references ?? [];
  const parts: CheckedPart[] = [];
  // A source without references also has a part: its rules may change.
  for (let start = 0; start === 0 || start < references.length; start += PART_SIZE) {
    const some = references.length <= PART_SIZE ? references : references.slice(start, start + PART_SIZE);
    parts.push(
      reuse(parts.length) ?? checkPart(context, publication, entry.path, parts.length, some, tracking),
    );
    yield 1 + some.length;
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
  const { result, dependencies } = tracking.recorder.record(check);
  const part: CheckedPart = { file, at, links: result, steps: context.budget.spent - spent };
  tracking.dependents.add(part, dependencies);
  return part;
}

/** The steps that the search for suggestions used in a whole file. */
export function stepsOf(file: CheckedFile | undefined): number {
  return (file?.parts ?? []).reduce((sum, part) => sum + part.steps, 0);
}

/** Returns the problems of a source itself. */
export function problemsOf({ entry, facts }: Pick<CheckedFile, 'entry' | 'facts'>): readonly FileProblem[] {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}

/** Estimates the memory of verdicts, without the strings that they share with facts. */
export function estimateVerdictBytes(files: Iterable<Pick<CheckedPart, 'links'>>): number {
  let bytes = 0;
  for (const { links } of files) {
    bytes += 300 + 200 * links.length;
    for (const { message, suggestion } of links)
      bytes += 2 * ((message?.length ?? 0) + (suggestion?.length ?? 0));
  }
  return bytes;
}
