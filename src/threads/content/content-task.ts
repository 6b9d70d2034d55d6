import type { Anchor, FileFacts } from '../../content/index.ts';
import {
  composePage,
  type DocumentTree,
  findReading,
  type OperationView,
  type PageWithParts,
  type RenderedPage,
  RenderLimitError,
  renderPageParts,
  targetKey,
  toDocument,
} from '../../content/render/index.ts';
import { indexText, type PageSection, readSections } from '../../content/search/index.ts';
import { findSegments } from '../../content/translation/index.ts';
import { type JsonParts, writeParts } from './json-parts.ts';

/** Where a target leads: as `resolveLink` and `resolveImage` of the renderer return it. */
export interface LinkAddress {
  readonly link: string | null | undefined;
  readonly image: string | null;
  /** Of the image, in pixels; absent when unknown. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Of the page that the link leads to; absent when unknown. */
  readonly title?: string;
}

/** A page as readers see it. */
export interface HtmlPage {
  readonly markdown: string;
  readonly dialect: string;
  readonly reservedIds: string;
  readonly isForSite?: boolean;
  readonly blockTitles?: Readonly<Record<string, string>>;
  /** By `targetKey`. */
  readonly addresses: ReadonlyMap<string, LinkAddress>;
  /** By specification, method and path, with a space between them. */
  readonly operations: ReadonlyMap<string, OperationView>;
  /** The specifications that the reader may not see. */
  readonly privateSpecs: ReadonlySet<string>;
}

/** A page as nodes. */
export interface DocumentPage {
  readonly markdown: string;
  readonly dialect: string;
  /** What targets lead to, by `targetKey`. */
  readonly references: ReadonlyMap<string, NonNullable<ReturnType<ReferTo>>>;
}

type ReferTo = NonNullable<NonNullable<Parameters<typeof toDocument>[1]>['referTo']>;

/** What one thread does at a time. Everything here can be passed to a thread, functions cannot. */
export type ContentTask =
  | { readonly kind: 'html'; readonly page: HtmlPage }
  | { readonly kind: 'document'; readonly page: DocumentPage }
  | { readonly kind: 'facts'; readonly readingKey: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'compose';
      readonly written: PageWithParts;
      readonly texts: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly kind: 'sections'; readonly markdown: string; readonly anchors: readonly Anchor[] }
  | { readonly kind: 'segments'; readonly markdown: string; readonly path: string };

/** A section with its words as the search compares them. */
export interface IndexedSection extends PageSection {
  readonly headingWords: string;
  readonly textWords: string;
}

/** `problem` says in one sentence why sections are missing; null where none are. */
export interface IndexedSections {
  readonly sections: readonly IndexedSection[];
  readonly problem: string | null;
}

/** What a task returns, or why the renderer refused it: errors lose their class on the way. */
export type ContentResult =
  | { readonly html: RenderedPage }
  /** Nodes, as JSON. */
  | { readonly json: string }
  /** What else a task returns: JSON is parsed in a third of the time that copying the objects takes. */
  | { readonly parts: JsonParts }
  | { readonly refused: string };

/** Does a task, in whichever thread. */
export async function runContentTask(task: ContentTask): Promise<ContentResult> {
  try {
    if (task.kind === 'html') return { html: await renderHtml(task.page) };
    if (task.kind === 'document') return { json: JSON.stringify(await writeDocument(task.page)) };
    return { parts: writeParts(await runTask(task)) };
  } catch (error) {
    if (error instanceof RenderLimitError) return { refused: error.message };
    throw error;
  }
}

async function runTask(
  task: Extract<ContentTask, { readonly kind: 'facts' | 'compose' | 'sections' | 'segments' }>,
): Promise<object> {
  if (task.kind === 'facts') return await readFacts(task.readingKey, task.bytes);
  if (task.kind === 'compose') return await composePage(task.written, (oid) => task.texts.get(oid));
  if (task.kind === 'segments') return findSegments(task.markdown, task.path);
  return indexSections(task.markdown, task.anchors);
}

/** The sections of a page, for the search. */
export function indexSections(markdown: string, anchors: readonly Anchor[]): IndexedSections {
  const { sections, isFull } = readSections(markdown, anchors);
  return {
    sections: sections.map((section) => ({
      ...section,
      headingWords: indexText(section.heading ?? ''),
      textWords: indexText(section.text),
    })),
    problem: isFull
      ? `The page has more than ${sections.length} sections; search does not find the text of the others. Split it.`
      : null,
  };
}

async function renderHtml({
  markdown,
  addresses,
  operations,
  privateSpecs,
  ...options
}: HtmlPage): Promise<RenderedPage> {
  return await renderPageParts(markdown, {
    ...options,
    highlight: true,
    resolveLink: (target) => addresses.get(targetKey(target))?.link,
    resolveImage: (target) => addresses.get(targetKey(target))?.image ?? null,
    titleOfLink: (target) => addresses.get(targetKey(target))?.title ?? null,
    sizeOfImage: (target) => addresses.get(targetKey(target))?.size ?? null,
    operationOf: ({ spec, method, path }) =>
      privateSpecs.has(spec) ? 'private' : (operations.get(`${spec} ${method} ${path}`) ?? null),
  });
}

async function writeDocument({ markdown, dialect, references }: DocumentPage): Promise<DocumentTree> {
  return await toDocument(markdown, {
    dialect,
    referTo: (target) => references.get(targetKey(target)) ?? null,
  });
}

async function readFacts(key: string, bytes: Uint8Array): Promise<FileFacts> {
  const reading = await findReading(key);
  if (reading === null) throw new Error(`No format has the reading ${key}.`);
  const read = await reading.load();
  return read(bytes);
}
