import type { ChangeRequest, Document } from '../../contract/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';

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
