import {
  fillSegment,
  plainText,
  readCorrection,
  selectStructurePreserving,
  writePage,
} from '../../content/translation/index.ts';
import { contentThreads, PageLimitError } from '../../threads/index.ts';
import type { SourcePage } from './read-source.ts';

/** The text of a correction as the translation memory has it, or why it cannot be used, as a part of a sentence. */
export type CorrectionText = { readonly text: string } | { readonly refused: string };

const OTHER_MARKUP =
  'it has other links, code, pictures or markup than the source; those are changed in the space of the result';

/**
 * Reads a correction as a person wrote it, in Markdown, for a text of a page. What would be refused of a provider is refused:
 * it must stay one text with the markup of the source.
 *
 * @param at the position of the text in the page
 */
export async function readCorrectionText(
  page: SourcePage,
  at: number,
  markdown: string,
): Promise<CorrectionText> {
  const segment = page.segments[at];
  const written = markdown
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  if (segment === undefined || written === '') return { refused: 'it is empty' };
  const replacements = new Map([[at, written]]);
  const read = await readPage(page.path, writePage(page.text, page.segments, replacements));
  if ('refused' in read) return read;
  const found = read.segments;
  const isAlone =
    found.length === page.segments.length &&
    found.every(({ text }, index) => index === at || text === page.segments[index]?.text);
  const now = found[at];
  if (!isAlone || now === undefined) return { refused: 'it would become several texts, or none' };
  const text = readCorrection(segment, now);
  if (text === null) return { refused: OTHER_MARKUP };
  const filled = fillSegment(segment, text);
  if ('refused' in filled) return { refused: filled.refused.replace(/^the answer /, 'it ') };
  const own =
    segment.kind === 'value' ? plainText(segment.parts) : page.text.slice(segment.start, segment.end);
  // What the reader leaves out at the ends, such as tags, would be lost.
  if ((filled.text || own) !== written) return { refused: OTHER_MARKUP };
  if (filled.text === '') return { text };
  const fitting = selectStructurePreserving(page.text, page.path, page.segments, {
    replacements: new Map([[at, filled.text]]),
  });
  return fitting.has(at) ? { text } : { refused: OTHER_MARKUP };
}

async function readPage(path: string, text: string) {
  try {
    return await contentThreads.findSegments(text, path);
  } catch (error) {
    if (error instanceof PageLimitError) return { refused: 'the page would exceed a limit of the reader' };
    throw error;
  }
}
