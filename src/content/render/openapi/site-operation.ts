import type { Element, ElementContent } from 'hast';
import { element } from '../hast-elements.ts';
import {
  describedIn,
  describedWithHtml,
  firstLineOf,
  textNode,
  wordsOfCell,
} from './description-elements.ts';
import { PARAMETER_SECTIONS } from './operation-elements.ts';
import type { ContentView, FieldView, OperationView, ResponseView } from './operation-view.ts';
import { type CodeSample, requestSamples } from './request-samples.ts';
import { type FieldTree, nestFields, sampleOfContent } from './sample-values.ts';

/**
 * Renders an operation for readers of a site: what it is beside how it is called, where there is room for both. What is
 * inside of an object unfolds. Not sanitised yet.
 */
export function siteOperationElements(operation: OperationView): ElementContent[] {
  const { method, path, title, description, isDeprecated } = operation;
  const head = box('p', 'operation-head', [
    box('span', 'method', [textNode(method)]),
    textNode(' '),
    element('code', [textNode(path)]),
    ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode('deprecated')])] : []),
  ]);
  const name = title === `${method} ${path}` ? [] : [element('p', [element('strong', [textNode(title)])])];
  return [
    head,
    box('div', 'operation', [
      box('div', 'operation-text', [
        ...name,
        ...describedWithHtml(description),
        ...accessPanel(operation),
        ...PARAMETER_SECTIONS.flatMap(([location, label]) =>
          section(
            label,
            operation.parameters.filter((parameter) => parameter.in === location),
          ),
        ),
        ...requestBody(operation),
        ...(operation.responses.length === 0
          ? []
          : [label('Responses'), ...operation.responses.map(response)]),
      ]),
      box('div', 'operation-samples', [
        box('div', 'tabs', requestSamples(operation).map(sampleTab)),
        ...responseSample(operation),
      ]),
    ]),
  ];
}

function accessPanel({ servers, security }: OperationView): ElementContent[] {
  const rows = [
    ...servers.map((server) => ['Server', element('code', [textNode(server)])] as const),
    ...security.map((phrase) => ['Authorization', textNode(phrase)] as const),
  ];
  if (rows.length === 0) return [];
  const items = rows.flatMap(([term, value]) => [element('dt', [textNode(term)]), element('dd', [value])]);
  return [element('dl', items)];
}

function requestBody({ body }: OperationView): ElementContent[] {
  if (body === null) return [];
  const name = body.isRequired ? 'Request body (required)' : 'Request body';
  return [label(name), ...describedIn(body.description), ...body.contents.flatMap(content)];
}

function response({ status, description, headers, contents }: ResponseView): Element {
  const words = firstLineOf(description);
  return element('details', [
    element('summary', [
      element('code', [textNode(status)]),
      ...(words === '' ? [] : [textNode(` ${words}`)]),
    ]),
    ...(words === description ? [] : describedIn(description)),
    ...section('Headers', headers),
    ...contents.flatMap(content),
  ]);
}

function content({ mediaType, type, fields, isCut }: ContentView): ElementContent[] {
  return [
    element('p', [element('code', [textNode(mediaType)]), textNode(` ${type}`)]),
    ...(fields.length === 0 ? [] : [fieldList(nestFields(fields))]),
    ...(isCut
      ? [element('p', [textNode('Some properties are left out here; the specification has them all.')])]
      : []),
  ];
}

function section(name: string, fields: readonly FieldView[]): ElementContent[] {
  return fields.length === 0 ? [] : [label(name), fieldList(nestFields(fields))];
}

function fieldList(tree: readonly FieldTree[]): Element {
  return box('ul', 'fields', tree.map(fieldItem));
}

function fieldItem({ field, inner }: FieldTree): Element {
  const { name, type, isRequired, isDeprecated, description, notes } = field;
  const words = [
    ...wordsOfCell(description),
    ...(notes.length === 0 ? [] : [textNode(`${description === '' ? '' : ' '}${notes.join('; ')}.`)]),
  ];
  const count = inner.length === 1 ? '1 property' : `${inner.length} properties`;
  return element('li', [
    element('p', [
      element('code', [textNode(name)]),
      textNode(' '),
      box('span', 'type', [textNode(type)]),
      ...(isRequired ? [textNode(' '), box('span', 'required', [textNode('required')])] : []),
      ...(isDeprecated ? [textNode(' '), box('span', 'badge', [textNode('deprecated')])] : []),
    ]),
    ...(words.length === 0 ? [] : [element('p', words)]),
    ...(inner.length === 0
      ? []
      : [element('details', [element('summary', [textNode(count)]), fieldList(inner)])]),
  ]);
}

function sampleTab({ title, language, code }: CodeSample, at: number): Element {
  const properties = { className: ['tab'], ...(at === 0 ? { open: true } : {}) };
  return element(
    'details',
    [box('summary', 'tab-title', [textNode(title)]), codeOf(code, language)],
    properties,
  );
}

/** A body of the first response that has one. */
function responseSample({ responses }: OperationView): ElementContent[] {
  for (const { status, contents } of responses) {
    const found = contents.find(({ mediaType, fields }) => /\bjson\b/i.test(mediaType) && fields.length > 0);
    if (found === undefined) continue;
    const caption = element('figcaption', [textNode(`${status} ${found.mediaType}`)]);
    const code = codeOf(JSON.stringify(sampleOfContent(found), null, 2), 'json');
    return [element('figure', [caption, code], { className: ['code'] })];
  }
  return [];
}

function codeOf(code: string, language: string): Element {
  return element('pre', [element('code', [textNode(code)], { className: [`language-${language}`] })]);
}

/** Not a heading element: the outline of the page is the author’s. */
function label(name: string): Element {
  return box('p', 'block-title', [element('strong', [textNode(name)])]);
}

function box(tagName: string, className: string, children: ElementContent[]): Element {
  return element(tagName, children, { className: [className] });
}
