import type { EvaluateOptions } from '../../content/expressions/index.ts';
import {
  type Anchor,
  type FileFacts,
  findReading,
  type ReadValues,
  readValuesHere,
} from '../../content/index.ts';
import type { PageWithParts, RenderedPage } from '../../content/render/index.ts';
import { type JsonParts, writeParts } from './json-parts.ts';
import type { DocumentPage, HtmlPage } from './show-pages.ts';

/** What one thread does at a time. Everything here can be passed to a thread, functions cannot. */
export type ContentTask =
  | { readonly kind: 'html'; readonly page: HtmlPage }
  | { readonly kind: 'document'; readonly page: DocumentPage }
  /** `hasNodes`: also in which block each node stands. */
  | { readonly kind: 'blocks'; readonly page: DocumentPage; readonly hasNodes: boolean }
  | { readonly kind: 'facts'; readonly readingKey: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'compose';
      readonly written: PageWithParts;
      readonly texts: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly kind: 'sections'; readonly markdown: string; readonly anchors: readonly Anchor[] }
  | { readonly kind: 'visitor-questions'; readonly markdown: string }
  | { readonly kind: 'evaluate'; readonly markdown: string; readonly options: EvaluateOptions }
  | { readonly kind: 'segments'; readonly markdown: string; readonly path: string }
  | { readonly kind: 'compare-pages'; readonly before: HtmlPage | null; readonly after: HtmlPage | null }
  | { readonly kind: 'compare-texts'; readonly before: string; readonly after: string }
  | { readonly kind: 'glossary'; readonly text: string; readonly path: string }
  | { readonly kind: 'values'; readonly text: string; readonly language: Parameters<ReadValues>[1] }
  | { readonly kind: 'merge-texts'; readonly base: string; readonly ours: string; readonly theirs: string };

/** What a task returns, or why the renderer refused it: errors lose their class on the way. */
export type ContentResult =
  | { readonly html: RenderedPage }
  /** Nodes, as JSON. */
  | { readonly json: string }
  /** What else a task returns: JSON is parsed in a third of the time that copying the objects takes. */
  | { readonly parts: JsonParts }
  | { readonly refused: string };

/**
 * Does a task, in whichever thread. What the others need is loaded by the first of them: most threads of a check or an
 * import only read facts.
 */
export async function runContentTask(task: ContentTask): Promise<ContentResult> {
  try {
    if (task.kind === 'html' || task.kind === 'document') {
      const { renderHtml, writeDocument } = await import('./show-pages.ts');
      if (task.kind === 'html') return { html: await renderHtml(task.page) };
      return { json: JSON.stringify(await writeDocument(task.page)) };
    }
    if (task.kind === 'compare-pages') {
      const { compareHtml } = await import('./show-pages.ts');
      return { parts: writeParts(await compareHtml(task.before, task.after)) };
    }
    return { parts: writeParts(await runTask(task)) };
  } catch (error) {
    const { RenderLimitError } = await import('../../content/render/index.ts');
    if (error instanceof RenderLimitError) return { refused: error.message };
    throw error;
  }
}

async function runTask(
  task: Exclude<ContentTask, { readonly kind: 'html' | 'document' | 'compare-pages' }>,
): Promise<object> {
  if (task.kind === 'blocks') {
    const { readBlocks } = await import('./read-blocks.ts');
    return await readBlocks(task.page, task.hasNodes);
  }
  if (task.kind === 'glossary') {
    const { parseGlossary } = await import('../../content/glossary/index.ts');
    const parsed = parseGlossary(task.text, task.path);
    if ('problems' in parsed) return parsed;
    // JSON has no maps.
    const terms = parsed.glossary.terms.map(({ term, translations }) => [term, [...translations]]);
    return { terms };
  }
  if (task.kind === 'values') return await readValuesHere(task.text, task.language);
  if (task.kind === 'facts') return await readFacts(task.readingKey, task.bytes);
  if (task.kind === 'compose') {
    const { composePage } = await import('../../content/render/index.ts');
    return await composePage(task.written, (oid) => task.texts.get(oid));
  }
  if (task.kind === 'visitor-questions') {
    const { listVisitorQuestions } = await import('../../content/expressions/index.ts');
    return listVisitorQuestions(task.markdown);
  }
  if (task.kind === 'evaluate') {
    const { evaluateMarkdown } = await import('../../content/expressions/index.ts');
    return { text: evaluateMarkdown(task.markdown, task.options) };
  }
  if (task.kind === 'segments') {
    const { findSegments } = await import('../../content/translation/index.ts');
    return findSegments(task.markdown, task.path);
  }
  if (task.kind === 'compare-texts') {
    const { compareTexts } = await import('../../content/diff/index.ts');
    return compareTexts(task.before, task.after);
  }
  if (task.kind === 'merge-texts') {
    const { mergeTexts } = await import('../../content/diff/index.ts');
    return { merged: mergeTexts(task.base, task.ours, task.theirs) };
  }
  const { indexSections } = await import('./index-sections.ts');
  return indexSections(task.markdown, task.anchors);
}

async function readFacts(key: string, bytes: Uint8Array): Promise<FileFacts> {
  const reading = await findReading(key);
  if (reading === null) throw new Error(`No format has the reading ${key}.`);
  const read = await reading.load();
  return read(bytes);
}
