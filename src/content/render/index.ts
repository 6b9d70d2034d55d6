/** Rendering is apart from the engine's own index, so that a command that only checks links does not load it. */

export type { SourcePlace } from '../dialect/index.ts';
export { findOperations, type NamedOperation } from './blocks/find-operations.ts';
export type * from './document/document-nodes.ts';
export { type DocumentOptions, toDocument } from './document/to-document.ts';
export { type ComposedPage, composePage, type PageWithParts } from './included/compose-page.ts';
export { sourceAt, type TextOrigin } from './included/text-builder.ts';
export { loadDialect } from './load-dialect.ts';
export { type MarkdownPage, matchLinks } from './match-links.ts';
export type { ContentView, FieldView, OperationView } from './openapi/operation-view.ts';
export type { OutlineEntry } from './outline.ts';
export { toFragment } from './place-ids.ts';
export { RenderLimitError } from './render-limits.ts';
export { type RenderOptions, renderPage, renderWithOutline } from './render-page.ts';
