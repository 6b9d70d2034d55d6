import { ANNOTATIONS_PER_REQUEST, withPlainText } from './annotations.ts';
import { list, paragraph, prose, SUMMARY_LIMIT, text, writeMarkdown } from './markdown.ts';
import type { Octokit } from './octokit.ts';
import type { Repository } from './repository.ts';

/** A mistake in a file. */
export interface FileMistake {
  readonly message: string;
  /** Both from 1; null where it is about the whole file. */
  readonly line: number | null;
  readonly column?: number;
}

/** A file of a repository that Docloom reads, and its mistakes. */
export interface FileMistakes {
  readonly path: string;
  readonly annotationTitle: string;
  readonly problems: readonly FileMistake[];
  /** A sentence about what applies until the problems are fixed. */
  readonly untilFixed: string;
}

/** The output of a check run that lists each mistake in its summary and annotates its line. */
export function describeProblems({ path, annotationTitle, problems, untilFixed }: FileMistakes) {
  const count = problems.length === 1 ? 'A mistake' : `${problems.length} mistakes`;
  const items = problems.map(({ message, line }) => [
    ...(line === null ? [] : [text(`Line ${line}: `)]),
    ...prose(message),
  ]);
  return {
    title: `${count} in ${path}`,
    summary: writeMarkdown([paragraph(prose(untilFixed)), list(items)]).slice(0, SUMMARY_LIMIT),
    annotations: problems.slice(0, ANNOTATIONS_PER_REQUEST).map(({ message, line, column }) =>
      withPlainText({
        path,
        start_line: line ?? 1,
        end_line: line ?? 1,
        ...(line === null || column === undefined ? {} : { start_column: column, end_column: column }),
        annotation_level: 'failure' as const,
        title: annotationTitle,
        message,
      }),
    ),
  };
}

/** A report about a file of a commit that Docloom reads. */
export interface FileReport extends FileMistakes {
  /** Of the check run. */
  readonly name: string;
  readonly passed: { readonly title: string; readonly summary: string };
}

/** Reports on a file in its own check run, with each mistake on its line; once per commit. */
export async function postFileCheck(
  octokit: Octokit,
  repository: Repository,
  commitOid: string,
  report: FileReport,
): Promise<void> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.checks.listForRef({
    owner,
    repo,
    ref: commitOid,
    check_name: report.name,
    per_page: 1,
  });
  if (data.total_count > 0) return;
  const failed = report.problems.length > 0;
  const path = report.path.split('/').map(encodeURIComponent).join('/');
  await octokit.rest.checks.create({
    owner,
    repo,
    name: report.name,
    head_sha: commitOid,
    status: 'completed',
    conclusion: failed ? 'failure' : 'success',
    output: failed ? describeProblems(report) : report.passed,
    details_url: `${repository.htmlUrl}/blob/${commitOid}/${path}`,
  });
}
