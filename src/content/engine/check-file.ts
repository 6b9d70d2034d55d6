import type { Publication } from '../format-port/index.ts';
import { type JudgeContext, judgeLink } from '../links/index.ts';
import type { FileFacts, FileProblem, Link, Reference, RepoPath, TreeEntry } from '../model/index.ts';
import type { Questions } from './dependency-recorder.ts';
import type { Askers } from './dependents.ts';

/** One source with its verdicts. */
export interface JudgedFile {
  readonly entry: TreeEntry;
  /** Undefined when the file was not read. */
  readonly facts: FileFacts | undefined;
  readonly links: readonly Link[];
  /** Those that are broken. */
  readonly broken: readonly Link[];
  readonly parts: readonly JudgedPart[];
}

/** Some references of a source one after the other, which are judged together. */
export interface JudgedPart {
  readonly file: RepoPath;
  /** Which part of the file it is. */
  readonly at: number;
  readonly links: readonly Link[];
  /** What looking for suggestions took. */
  readonly steps: number;
}

/** Notes what verdicts depend on. */
export interface Notes {
  readonly questions: Questions;
  readonly askers: Askers<JudgedPart>;
}

const NONE: readonly Link[] = [];

/** References of one part: a table of contents of thousands is not judged whole because of one of them. */
const PART_SIZE = 32;

/** Judges the references of one source; those of the parts that `keep` answers have the verdicts that they had. */
export function judgeFile(
  context: JudgeContext,
  publication: Publication,
  entry: TreeEntry,
  notes: Notes | null,
  keep: (at: number) => JudgedPart | undefined = () => undefined,
): JudgedFile {
  const facts = context.factsOf(entry);
  const references = facts?.references ?? [];
  const parts: JudgedPart[] = [];
  // A source without references has a part too: its rules may change.
  for (let start = 0; start === 0 || start < references.length; start += PART_SIZE) {
    const some = references.length <= PART_SIZE ? references : references.slice(start, start + PART_SIZE);
    parts.push(keep(parts.length) ?? judgePart(context, publication, entry.path, parts.length, some, notes));
  }
  const [only] = parts;
  const links = parts.length === 1 && only !== undefined ? only.links : parts.flatMap((part) => part.links);
  const broken = links.filter((link) => link.status === 'broken');
  return { entry, facts, links, broken: broken.length === 0 ? NONE : broken, parts };
}

function judgePart(
  context: JudgeContext,
  publication: Publication,
  file: RepoPath,
  at: number,
  references: readonly Reference[],
  notes: Notes | null,
): JudgedPart {
  const spent = context.budget.spent;
  const judge = () => {
    const rules = publication.rulesOf(file);
    const links: Link[] = [];
    for (const reference of references) {
      if (publication.skips?.(file, reference) === true) continue;
      links.push(judgeLink(context, rules, file, reference));
    }
    return links;
  };
  if (notes === null) return { file, at, links: judge(), steps: 0 };
  const { answer, asked } = notes.questions.record(judge);
  const part: JudgedPart = { file, at, links: answer, steps: context.budget.spent - spent };
  notes.askers.add(part, asked);
  return part;
}

/** What looking for suggestions took in a whole file. */
export function stepsOf(file: JudgedFile | undefined): number {
  return (file?.parts ?? []).reduce((sum, part) => sum + part.steps, 0);
}

/** What is wrong with a source itself. */
export function problemsOf({ entry, facts }: Pick<JudgedFile, 'entry' | 'facts'>): readonly FileProblem[] {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}
