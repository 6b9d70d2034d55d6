import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { accessPanel, serverPanel } from './access-panel.ts';
import { describedIn, describedWithHtml, firstLineOf, textNode } from './description-elements.ts';
import { fieldLists } from './field-list.ts';
import { typeIn } from './field-words.ts';
import { callOf } from './operation-call.ts';
import { codeBlock, codeNode, codeTabs, label } from './operation-parts.ts';
import type {
  BodyView,
  CallbackView,
  ContentView,
  FieldView,
  OperationView,
  ResponseView,
} from './operation-view.ts';
import { ENGLISH_OPERATION_WORDS, fillWord, type OperationWords, sentenceAround } from './operation-words.ts';
import { requestSamples } from './request-samples.ts';
import { payloadSamples, responseSamples } from './response-samples.ts';

interface SiteOperationOptions {
  /** Whether readers may send requests from the page. */
  readonly canTry?: boolean;
  /** English when absent. */
  readonly words?: OperationWords;
}

/**
 * Renders an operation for readers of a site: what it is beside how it is called, where there is room for both. What is
 * inside of an object unfolds. Not sanitised yet.
 */
export function siteOperationElements(
  operation: OperationView,
  { canTry = false, words = ENGLISH_OPERATION_WORDS }: SiteOperationOptions = {},
): ElementContent[] {
  const { method, path, title, description, isDeprecated, isWebhook = false } = operation;
  const head = box('p', 'operation-head', [
    box('span', 'method', [textNode(method)]),
    textNode(' '),
    codeNode(path),
    ...(isWebhook ? [textNode(' '), box('span', 'badge', [textNode('webhook')])] : []),
    ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode(words.deprecated)])] : []),
  ]);
  const name =
    title === `${method} ${path}` ? [] : [box('p', 'operation-name', [element('strong', [textNode(title)])])];
  const shown = box('div', 'operation', [
    box('div', 'operation-text', [
      ...describedWithHtml(description),
      ...(isWebhook ? [element('p', [textNode(words.sentToYou)])] : []),
      ...serverPanel(operation, words),
      ...accessPanel(operation, words),
      ...parameterSections(words).flatMap(([location, name]) =>
        section(
          name,
          operation.parameters.filter((parameter) => parameter.in === location),
          words,
        ),
      ),
      ...requestBody(operation.body, words),
      ...responsesOf(operation.responses, isWebhook ? words.yourAnswer : words.responses, words),
      ...callbacks(operation, words),
    ]),
    box('div', 'operation-samples', [
      ...codeTabs(isWebhook ? payloadSamples(operation) : requestSamples(operation)),
      ...codeTabs(responseSamples(operation)),
    ]),
  ]);
  const call = callOf(operation, canTry, words);
  if (call !== null) shown.data = { call: JSON.stringify(call) };
  return [...name, head, shown];
}

function parameterSections(words: OperationWords) {
  return [
    ['path', words.pathParameters],
    ['query', words.queryParameters],
    ['querystring', words.query],
    ['header', words.headerParameters],
    ['cookie', words.cookies],
  ] as const;
}

function requestBody(body: BodyView | null, words: OperationWords): ElementContent[] {
  if (body === null) return [];
  const name = body.isRequired ? words.bodyRequired : words.body;
  return [
    label(name),
    ...describedIn(body.description),
    ...body.contents.flatMap((one) => content(one, words)),
  ];
}

function responsesOf(
  responses: readonly ResponseView[],
  name: string,
  words: OperationWords,
): ElementContent[] {
  return responses.length === 0 ? [] : [label(name), ...responses.map((one) => response(one, words))];
}

function response({ status, description, headers, contents }: ResponseView, words: OperationWords): Element {
  const line = firstLineOf(description);
  return element('details', [
    element('summary', [codeNode(status), ...(line === '' ? [] : [textNode(` ${line}`)])]),
    ...(line === description ? [] : describedIn(description)),
    ...section(words.headers, headers, words),
    ...contents.flatMap((one) => content(one, words)),
  ]);
}

/** Requests that the API sends after this one. */
function callbacks({ callbacks: all = [] }: OperationView, words: OperationWords): ElementContent[] {
  if (all.length === 0) return [];
  return [label(words.callbacks), ...all.map((one) => callback(one, words))];
}

function callback(
  { name, method, path, description, body, responses }: CallbackView,
  words: OperationWords,
): Element {
  const request = [codeNode(method), textNode(' '), codeNode(path)];
  return element('details', [
    element('summary', [codeNode(name)]),
    element('p', sentenceAround(words.thenSends, 'request', request)),
    ...describedIn(description),
    ...requestBody(body, words),
    ...responsesOf(responses, words.yourAnswer, words),
  ]);
}

function content(
  { mediaType, type, fields, isCut, examples = [] }: ContentView,
  words: OperationWords,
): ElementContent[] {
  return [
    element('p', [codeNode(mediaType), textNode(` ${typeIn(type, words)}`)]),
    ...fieldLists(fields, words),
    ...(isCut ? [element('p', [textNode(words.leftOut)])] : []),
    // The first one is among the samples.
    ...examples
      .slice(1)
      .map(({ name, value }) =>
        element('details', [
          element('summary', [textNode(fillWord(words.example, { name }))]),
          codeBlock(value, languageOf(mediaType)),
        ]),
      ),
  ];
}

function languageOf(mediaType: string): string {
  return /\bjson\b/i.test(mediaType) ? 'json' : /\bxml\b/i.test(mediaType) ? 'xml' : '';
}

function section(name: string, fields: readonly FieldView[], words: OperationWords): ElementContent[] {
  return fields.length === 0 ? [] : [label(name), ...fieldLists(fields, words)];
}
