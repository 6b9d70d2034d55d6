/** Rendering; separate from the engine's index, so that a command that only checks links does not load it. */

export { toFragment } from './assign-ids.ts';
export { type BlockPlace, fillBlockPlaces, insertBlockPlaces } from './block-places.ts';
export { findOperations, type NamedOperation, operationKey, webhookPath } from './blocks/find-operations.ts';
export type * from './document/document-nodes.ts';
export { type DocumentOptions, toDocument } from './document/to-document.ts';
export { DocumentNotReadable, documentToMarkdown, mentionedIn } from './document/to-markdown.ts';
export { withEmoji } from './emoji-names.ts';
export { type ComposedPage, composePage, type PageWithParts } from './included/compose-page.ts';
export { sourcePositionAt, type TextOrigin } from './included/text-builder.ts';
export { indexTargets, targetKey } from './index-targets.ts';
export type {
  BodyView,
  ContentView,
  CredentialView,
  FieldView,
  OperationView,
  ParameterView,
  ResponseView,
} from './openapi/operation-view.ts';
export { ENGLISH_OPERATION_WORDS, type OperationWords } from './openapi/operation-words.ts';
export type { OutlineEntry } from './outline.ts';
export { PLAYER_ORIGINS } from './players.ts';
export { RenderLimitError } from './render-limits.ts';
export {
  type RenderedPage,
  type RenderOptions,
  renderPage,
  renderPageParts,
  renderToTree,
} from './render-page.ts';
