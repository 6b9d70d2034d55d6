import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeRequest,
  type Description,
  type Document,
  MAX_DESCRIPTION_LENGTH,
} from '../../contract/index.ts';
import type { Db, SpaceRow } from '../../store/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { invalid } from '../api/api-error.ts';
import { nodesToMarkdown } from '../comments/nodes-to-markdown.ts';

/** A description as nodes and as Markdown; neither where there is none. */
export async function readDescription(
  markdown: string,
): Promise<Pick<ChangeRequest, 'description' | 'descriptionMarkdown'>> {
  if (markdown === '') return {};
  try {
    const json = await contentThreads.write({ markdown, dialect: '', references: new Map() });
    return { description: JSON.parse(json) as Document, descriptionMarkdown: markdown };
  } catch (error) {
    if (error instanceof PageLimitError || error instanceof PageNotRead)
      return { descriptionMarkdown: markdown };
    throw error;
  }
}

/**
 * The Markdown of a description that a caller sent. Nodes that are those of the `saved` one keep its Markdown, so that a
 * client that sends back what it read changes nothing.
 */
export async function writeDescription(
  db: Db,
  space: SpaceRow,
  sent: Description,
  saved: string,
): Promise<string> {
  if ('markdown' in sent) return sent.markdown;
  const read = (await readDescription(saved)).description;
  if (read !== undefined && isDeepStrictEqual(sent.nodes, read.nodes)) return saved;
  // Nobody is told of a description, so the names in it are text.
  const markdown = await nodesToMarkdown(db, space, sent, '/body/description', { mentionsAs: 'text' });
  if (markdown.length > MAX_DESCRIPTION_LENGTH)
    throw invalid(
      '/body/description',
      `is longer than ${MAX_DESCRIPTION_LENGTH} characters as Markdown: shorten it`,
    );
  return markdown;
}
