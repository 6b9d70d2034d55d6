import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { accessPanel, serverPanel } from './access-panel.ts';
import { describedIn, describedWithHtml, firstLineOf, textNode } from './description-elements.ts';
import { fieldLists } from './field-list.ts';
import { callOf } from './operation-call.ts';
import { PARAMETER_SECTIONS } from './operation-elements.ts';
import { codeBlock, codeNode, codeTabs, label } from './operation-parts.ts';
import type {
  BodyView,
  CallbackView,
  ContentView,
  FieldView,
  OperationView,
  ResponseView,
} from './operation-view.ts';
import { requestSamples } from './request-samples.ts';
import { payloadSamples, responseSamples } from './response-samples.ts';

/**
 * Renders an operation for readers of a site: what it is beside how it is called, where there is room for both. What is
 * inside of an object unfolds. Not sanitised yet.
 *
 * @param canTry whether readers may send requests from the page
 */
export function siteOperationElements(operation: OperationView, canTry = false): ElementContent[] {
  const { method, path, title, description, isDeprecated, isWebhook = false } = operation;
  const head = box('p', 'operation-head', [
    box('span', 'method', [textNode(method)]),
    textNode(' '),
    codeNode(path),
    ...(isWebhook ? [textNode(' '), box('span', 'badge', [textNode('webhook')])] : []),
    ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode('deprecated')])] : []),
  ]);
  const name = title === `${method} ${path}` ? [] : [element('p', [element('strong', [textNode(title)])])];
  const shown = box('div', 'operation', [
    box('div', 'operation-text', [
      ...name,
      ...describedWithHtml(description),
      ...(isWebhook ? [element('p', [textNode('The API sends this request to your server.')])] : []),
      ...serverPanel(operation),
      ...accessPanel(operation),
      ...PARAMETER_SECTIONS.flatMap(([location, label]) =>
        section(
          label,
          operation.parameters.filter((parameter) => parameter.in === location),
        ),
      ),
      ...requestBody(operation.body),
      ...responsesOf(operation.responses, isWebhook ? 'Your answer' : 'Responses'),
      ...callbacks(operation),
    ]),
    box('div', 'operation-samples', [
      ...codeTabs(isWebhook ? payloadSamples(operation) : requestSamples(operation)),
      ...codeTabs(responseSamples(operation)),
    ]),
  ]);
  const call = callOf(operation, canTry);
  if (call !== null) shown.data = { call: JSON.stringify(call) };
  return [head, shown];
}

function requestBody(body: BodyView | null): ElementContent[] {
  if (body === null) return [];
  const name = body.isRequired ? 'Request body (required)' : 'Request body';
  return [label(name), ...describedIn(body.description), ...body.contents.flatMap(content)];
}

function responsesOf(responses: readonly ResponseView[], name: string): ElementContent[] {
  return responses.length === 0 ? [] : [label(name), ...responses.map(response)];
}

function response({ status, description, headers, contents }: ResponseView): Element {
  const words = firstLineOf(description);
  return element('details', [
    element('summary', [codeNode(status), ...(words === '' ? [] : [textNode(` ${words}`)])]),
    ...(words === description ? [] : describedIn(description)),
    ...section('Headers', headers),
    ...contents.flatMap(content),
  ]);
}

/** Requests that the API sends after this one. */
function callbacks({ callbacks: all = [] }: OperationView): ElementContent[] {
  if (all.length === 0) return [];
  return [label('Callbacks'), ...all.map(callback)];
}

function callback({ name, method, path, description, body, responses }: CallbackView): Element {
  return element('details', [
    element('summary', [codeNode(name)]),
    element('p', [textNode('The API then sends '), codeNode(method), textNode(' to '), codeNode(path)]),
    ...describedIn(description),
    ...requestBody(body),
    ...responsesOf(responses, 'Your answer'),
  ]);
}

function content({ mediaType, type, fields, isCut, examples = [] }: ContentView): ElementContent[] {
  return [
    element('p', [codeNode(mediaType), textNode(` ${type}`)]),
    ...fieldLists(fields),
    ...(isCut
      ? [element('p', [textNode('Some properties are left out here; the specification has them all.')])]
      : []),
    // The first one is among the samples.
    ...examples
      .slice(1)
      .map(({ name, value }) =>
        element('details', [
          element('summary', [textNode(`Example: ${name}`)]),
          codeBlock(value, languageOf(mediaType)),
        ]),
      ),
  ];
}

function languageOf(mediaType: string): string {
  return /\bjson\b/i.test(mediaType) ? 'json' : /\bxml\b/i.test(mediaType) ? 'xml' : '';
}

function section(name: string, fields: readonly FieldView[]): ElementContent[] {
  return fields.length === 0 ? [] : [label(name), ...fieldLists(fields)];
}
