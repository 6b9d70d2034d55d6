import { type CommentBodyInput, type Document, MAX_COMMENT_LENGTH } from '../../contract/index.ts';
import type { SpaceRow } from '../../store/index.ts';
import { contentThreads, PageLimitError } from '../../threads/index.ts';
import { invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { nodesToMarkdown } from './nodes-to-markdown.ts';
import { resolveMentions } from './resolve-mentions.ts';

/** The text of a comment, in the forms in which it is stored. */
export interface CommentText {
  readonly markdown: string;
  readonly document: Document;
  /** The ids of the users whom it mentions. */
  readonly mentions: readonly string[];
}

/**
 * The longest JSON of a comment's nodes: ten times what people write. A list shows a hundred comments at once, and a text of
 * thousands of cells or links has a hundred times its length in nodes.
 */
const MAX_NODES_LENGTH = 200_000;

/** Reads the text that a caller sent in a field of the body; throws a 400 for one that says nothing, or is too long. */
export async function readCommentBody(
  deps: PlatformDeps,
  space: SpaceRow,
  input: CommentBodyInput,
  field = '/body/body',
): Promise<CommentText> {
  const markdown = (
    'markdown' in input
      ? input.markdown
      : await nodesToMarkdown(deps.db, space, input.document, `${field}/document`)
  ).trim();
  if (markdown === '') throw invalid(field, 'is empty: write what you want to say');
  if (markdown.length > MAX_COMMENT_LENGTH) {
    throw invalid(field, `is longer than ${MAX_COMMENT_LENGTH} characters: split it`);
  }
  const document = await writeNodes(markdown, field);
  const resolved = await resolveMentions(deps.db, space, document);
  return { markdown, ...resolved };
}

async function writeNodes(markdown: string, field: string): Promise<Document> {
  try {
    const nodes = await contentThreads.write({ markdown, dialect: '', references: new Map() });
    if (nodes.length <= MAX_NODES_LENGTH) return JSON.parse(nodes);
    const source = { markdown: asPlainText(markdown), dialect: '', references: new Map() };
    return JSON.parse(await contentThreads.write(source));
  } catch (error) {
    if (error instanceof PageLimitError) throw invalid(field, `cannot be read: ${error.message}`);
    throw error;
  }
}

/** The source of a text as one paragraph, without a single link, mark or cell. */
function asPlainText(markdown: string): string {
  return markdown.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
