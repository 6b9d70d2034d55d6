import type { Publication } from '../formats/format.ts';
import { type JudgeContext, judgeLink } from '../links/judge-link.ts';
import type { FileFacts, FileProblem, Link, TreeEntry } from '../model.ts';
import type { Questions } from './questions.ts';

/** One source with its verdicts, and all that they depend on besides the file itself. */
export interface JudgedFile {
  readonly entry: TreeEntry;
  /** Undefined when the file was not read. */
  readonly facts: FileFacts | undefined;
  readonly links: readonly Link[];
  /** The keys of the questions that were asked; none where they were not noted. */
  readonly asked: readonly string[];
  /** What looking for suggestions took. */
  readonly steps: number;
}

/** Judges the references of one source. Without `questions`, what the verdicts depend on is not noted. */
export function judgeFile(
  context: JudgeContext,
  publication: Publication,
  entry: TreeEntry,
  questions: Questions | null,
): JudgedFile {
  const spent = context.budget.spent;
  const facts = context.factsOf(entry);
  const judge = () => judgeReferences(context, publication, entry, facts);
  const { answer, asked } = questions === null ? { answer: judge(), asked: [] } : questions.record(judge);
  return { entry, facts, links: answer, asked: [...asked], steps: context.budget.spent - spent };
}

function judgeReferences(
  context: JudgeContext,
  publication: Publication,
  { path }: TreeEntry,
  facts: FileFacts | undefined,
): readonly Link[] {
  const links: Link[] = [];
  const rules = publication.rulesOf(path);
  for (const reference of facts?.references ?? []) {
    if (publication.skips?.(path, reference) === true) continue;
    links.push(judgeLink(context, rules, path, reference));
  }
  return links;
}

/** What is wrong with a source itself. */
export function problemsOf({ entry, facts }: Pick<JudgedFile, 'entry' | 'facts'>): readonly FileProblem[] {
  if (facts === undefined) {
    return [{ file: entry.path, message: 'The file was not read, so its links are not known.', line: null }];
  }
  return facts.problems.map((problem) => ({ ...problem, file: entry.path }));
}
