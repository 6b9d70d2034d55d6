import type { ConversationsConfig } from '../../config/index.ts';

/** An issue or a discussion of a repository. */
export interface QuestionName {
  readonly kind: 'issues' | 'discussions';
  readonly number: number;
}

/** By what a configuration chooses them. */
export interface QuestionMarks {
  readonly labels: readonly string[];
  /** Of a discussion. */
  readonly category?: string;
}

/** One as GitHub has it now. */
export interface Question extends QuestionName, QuestionMarks {
  readonly title: string;
  /** Markdown, as are the comments. */
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  /** Whether a program opened it. */
  readonly isByProgram: boolean;
  /** The first ones, the oldest first. */
  readonly comments: readonly QuestionComment[];
}

export interface QuestionComment {
  readonly body: string;
  readonly by: 'user' | 'assistant' | 'team-member';
}

/** How many comments of one are read. */
export const MAX_COMMENTS = 100;

/** The id of its conversation, unique in the source that a repository is. */
export function writeQuestionId({ kind, number }: QuestionName): string {
  return `${kind}/${number}`;
}

export function readQuestionId(id: string): QuestionName | null {
  const [, kind, number] = /^(issues|discussions)\/(\d{1,15})$/.exec(id) ?? [];
  return kind === undefined ? null : { kind: kind as QuestionName['kind'], number: Number(number) };
}

/** Whether a configuration wants those with these labels, or of this category; GitHub ignores the case of labels. */
export function isWanted(
  config: ConversationsConfig | undefined,
  kind: QuestionName['kind'],
  { labels, category }: QuestionMarks,
): boolean {
  const wanted = config?.[kind];
  if (wanted === undefined) return false;
  if (sharesName(wanted.labels, labels)) return true;
  return 'categories' in wanted && category !== undefined && sharesName(wanted.categories, [category]);
}

function sharesName(wanted: readonly string[], names: readonly string[]): boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return wanted.some((name) => known.has(name.toLowerCase()));
}

/** GitHub's words for people who belong to a repository: https://docs.github.com/graphql/reference/enums#commentauthorassociation */
const TEAM: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

export function authorOf(association: string, isProgram: boolean): QuestionComment['by'] {
  if (isProgram) return 'assistant';
  return TEAM.has(association) ? 'team-member' : 'user';
}
