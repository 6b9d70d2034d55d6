import type { ConfigMistake } from './repository-config.ts';

/** The API takes at most 50 annotations in a request. */
const MAX_ANNOTATIONS = 50;

/** Of the characters that the API takes in a summary. */
const MAX_SUMMARY = 60_000;

/** A file of a repository that Docloom reads, and what is wrong with it. */
export interface MistakenFile {
  readonly path: string;
  /** The title of each annotation. */
  readonly what: string;
  readonly problems: readonly ConfigMistake[];
  /** What holds while there are problems. */
  readonly untilMended: string;
}

/** The output of a check run that tells of each mistake, in its summary and on its line. */
export function describeMistakes({ path, what, problems, untilMended }: MistakenFile) {
  const count = problems.length === 1 ? 'A mistake' : `${problems.length} mistakes`;
  const lines = problems.map(
    ({ message, line }) => `- ${line === null ? '' : `Line ${line}: `}${escapeText(message)}`,
  );
  return {
    title: `${count} in ${path}`,
    summary: `${untilMended}\n\n${lines.join('\n')}\n`.slice(0, MAX_SUMMARY),
    annotations: problems.slice(0, MAX_ANNOTATIONS).map(({ message, line, column }) => ({
      path,
      start_line: line ?? 1,
      end_line: line ?? 1,
      ...(line === null || column === undefined ? {} : { start_column: column, end_column: column }),
      annotation_level: 'failure' as const,
      title: what,
      message,
    })),
  };
}

/** Messages quote what the file says, which may hold any Markdown or HTML; code spans of ours stay. */
function escapeText(message: string): string {
  return message
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[\\<>*_[\]|~#&@!]/g, '\\$&')))
    .join('');
}
