import type { PageDifference } from '../../content/diff/index.ts';
import {
  type DocumentTree,
  insertBlockPlaces,
  type OperationView,
  type OperationWords,
  operationKey,
  type RenderedPage,
  type RenderOptions,
  renderPageParts,
  renderToTree,
  targetKey,
  toDocument,
} from '../../content/render/index.ts';

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
  readonly canTry?: boolean;
  readonly idPrefix?: string;
  readonly title?: string;
  readonly hasBlockPlaces?: boolean;
  readonly blockTitles?: Readonly<Record<string, string>>;
  readonly operationWords?: OperationWords;
  /** By `targetKey`. */
  readonly addresses: ReadonlyMap<string, LinkAddress>;
  /** By `operationKey`. */
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

export async function renderHtml(page: HtmlPage): Promise<RenderedPage> {
  return await renderPageParts(page.markdown, optionsOf(page));
}

/** Renders two versions of a page as one, with what was inserted and deleted. */
export async function compareHtml(before: HtmlPage | null, after: HtmlPage | null): Promise<PageDifference> {
  const { comparePages } = await import('../../content/diff/index.ts');
  const render = async (page: HtmlPage | null) =>
    page === null
      ? { type: 'root' as const, children: [] }
      : await renderToTree(page.markdown, optionsOf(page));
  return comparePages(await render(before), await render(after), insertBlockPlaces);
}

function optionsOf({
  addresses,
  operations,
  privateSpecs,
  markdown: _,
  ...options
}: HtmlPage): RenderOptions {
  return {
    ...options,
    highlight: true,
    resolveLink: (target) => addresses.get(targetKey(target))?.link,
    ...(options.isForSite === true && {
      resolveWholeAddress: (target: string) => addresses.get(targetKey(target))?.link ?? undefined,
    }),
    resolveImage: (target) => addresses.get(targetKey(target))?.image ?? null,
    titleOfLink: (target) => addresses.get(targetKey(target))?.title ?? null,
    sizeOfImage: (target) => addresses.get(targetKey(target))?.size ?? null,
    operationOf: ({ spec, method, path }) =>
      privateSpecs.has(spec) ? 'private' : (operations.get(operationKey(spec, { method, path })) ?? null),
  };
}

export async function writeDocument({ markdown, dialect, references }: DocumentPage): Promise<DocumentTree> {
  return await toDocument(markdown, {
    dialect,
    referTo: (target) => references.get(targetKey(target)) ?? null,
  });
}
