import type { ConversationsConfig } from '../../config/index.ts';
import { graphqlErrorTypes, type Octokit, type RepositoryName } from '../../github/index.ts';
import { type ListedQuestions, MAX_LISTED } from './listed-questions.ts';
import { authorOf, isWanted, MAX_COMMENTS, type Question, type QuestionMarks } from './question.ts';

const PER_PAGE = 100;

/** What the App reads of a discussion. There is no other API for them: https://docs.github.com/graphql/guides/using-the-graphql-api-for-discussions */
const MARKS = 'number updatedAt category { name } labels(first: 100) { nodes { name } }';

const LIST = `query docloomDiscussions($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: ${PER_PAGE}, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { ${MARKS} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const AUTHOR = 'author { __typename } authorAssociation';

const READ = `query docloomDiscussion($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) {
      ${MARKS} title body url createdAt ${AUTHOR}
      comments(first: ${MAX_COMMENTS}) {
        nodes { body isMinimized ${AUTHOR} replies(first: 20) { nodes { body isMinimized ${AUTHOR} } } }
      }
    }
  }
}`;

interface MarkedNode {
  readonly number: number;
  readonly updatedAt: string;
  readonly category: { readonly name: string };
  readonly labels: { readonly nodes: readonly { readonly name: string }[] } | null;
}

interface AuthoredNode {
  readonly body: string;
  /** Null for a deleted account. */
  readonly author: { readonly __typename: string } | null;
  readonly authorAssociation: string;
}

interface CommentNode extends AuthoredNode {
  readonly isMinimized: boolean;
}

interface DiscussionNode extends MarkedNode, AuthoredNode {
  readonly title: string;
  readonly url: string;
  readonly createdAt: string;
  readonly comments: {
    readonly nodes: readonly (CommentNode & {
      readonly replies: { readonly nodes: readonly CommentNode[] };
    })[];
  };
}

interface DiscussionPage {
  readonly repository: {
    readonly discussions: {
      readonly nodes: readonly MarkedNode[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

/** Lists the discussions that a configuration wants among the most recently changed ones. */
export async function listDiscussions(
  octokit: Octokit,
  name: RepositoryName,
  config: ConversationsConfig,
): Promise<ListedQuestions> {
  const found = new Map<number, Date>();
  let after: string | null = null;
  for (let read = 0; read < MAX_LISTED; read += PER_PAGE) {
    const page: DiscussionPage = await octokit.graphql<DiscussionPage>(LIST, { ...name, after });
    const { nodes, pageInfo } = page.repository.discussions;
    for (const node of nodes)
      if (isWanted(config, 'discussions', marksOf(node))) found.set(node.number, new Date(node.updatedAt));
    if (!pageInfo.hasNextPage) return { changedAt: found, isComplete: true };
    after = pageInfo.endCursor;
  }
  return { changedAt: found, isComplete: false };
}

/** A discussion with its comments and their replies; null where it is deleted or transferred. */
export async function readDiscussion(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
): Promise<Question | null> {
  const node = await readNode(octokit, name, number);
  if (node === null || node.number !== number) return null;
  const comments = node.comments.nodes.flatMap((comment) => [comment, ...comment.replies.nodes]);
  return {
    ...marksOf(node),
    kind: 'discussions',
    number,
    title: node.title,
    body: node.body,
    url: node.url,
    createdAt: node.createdAt,
    isByProgram: isProgram(node),
    comments: comments
      .filter(({ isMinimized }) => !isMinimized)
      .slice(0, MAX_COMMENTS)
      .map((comment) => ({
        body: comment.body,
        by: authorOf(comment.authorAssociation, isProgram(comment)),
      })),
  };
}

async function readNode(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
): Promise<DiscussionNode | null> {
  try {
    const found = await octokit.graphql<{
      readonly repository: { readonly discussion: DiscussionNode | null } | null;
    }>(READ, { ...name, number });
    return found.repository?.discussion ?? null;
  } catch (error) {
    if (graphqlErrorTypes(error).includes('NOT_FOUND')) return null;
    throw error;
  }
}

function marksOf({ labels, category }: MarkedNode): QuestionMarks {
  return { labels: labels?.nodes.map((label) => label.name) ?? [], category: category.name };
}

function isProgram({ author }: AuthoredNode): boolean {
  return author?.__typename === 'Bot';
}
