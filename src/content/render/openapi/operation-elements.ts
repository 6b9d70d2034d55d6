import type { Element, ElementContent } from 'hast';
import {
  describedIn,
  describedWithHtml,
  firstLineOf,
  textNode,
  wordsOfCell,
} from './description-elements.ts';
import type { ContentView, FieldView, OperationView, ParameterView, ResponseView } from './operation-view.ts';
import { ENGLISH_OPERATION_WORDS, type OperationWords, sentenceAround } from './operation-words.ts';

/** Says why an operation is not shown to a reader who may not see its specification. */
export function privateOperation(
  spec: string,
  { notPublic }: Pick<OperationWords, 'notPublic'> = ENGLISH_OPERATION_WORDS,
): ElementContent[] {
  return [element('p', sentenceAround(notPublic, 'name', [element('code', [textNode(spec)])]))];
}

/** Renders an operation for readers: its name and description, and its parameters, body and responses as tables. Not sanitised yet. */
export function operationElements(operation: OperationView): ElementContent[] {
  const { method, path, title, description, isDeprecated, servers, security } = operation;
  const [server] = servers;
  return [
    element('p', [
      element('code', [textNode(method)]),
      textNode(' '),
      element('code', [textNode(path)]),
      ...(isDeprecated ? [textNode(' '), element('span', [textNode('deprecated')], ['badge'])] : []),
    ]),
    ...(title === `${method} ${path}` ? [] : [element('p', [element('strong', [textNode(title)])])]),
    ...describedWithHtml(description),
    ...(server === undefined ? [] : [labelled('Server', [element('code', [textNode(server)])])]),
    ...(security.length === 0 ? [] : [labelled('Authorization', [textNode(security.join('; or '))])]),
    ...PARAMETER_SECTIONS.flatMap(([location, name]) =>
      parameters(
        name,
        operation.parameters.filter((parameter) => parameter.in === location),
      ),
    ),
    ...requestBody(operation),
    ...(operation.responses.length === 0 ? [] : [heading('Responses'), ...operation.responses.map(response)]),
  ];
}

const PARAMETER_SECTIONS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query'],
  ['header', 'Header parameters'],
  ['cookie', 'Cookies'],
] as const;

function parameters(name: string, fields: readonly ParameterView[]): Element[] {
  return fields.length === 0 ? [] : [heading(name), table(fields)];
}

function requestBody({ body }: OperationView): ElementContent[] {
  if (body === null) return [];
  const name = body.isRequired ? 'Request body (required)' : 'Request body';
  return [heading(name), ...describedIn(body.description), ...body.contents.flatMap(content)];
}

function response({ status, description, headers, contents }: ResponseView): Element {
  const summary = element('summary', [
    element('code', [textNode(status)]),
    ...(description === '' ? [] : [textNode(` ${firstLineOf(description)}`)]),
  ]);
  return element('details', [
    summary,
    ...(firstLineOf(description) === description ? [] : describedIn(description)),
    ...(headers.length === 0 ? [] : [heading('Headers'), table(headers)]),
    ...contents.flatMap(content),
  ]);
}

function content({ mediaType, type, fields, isCut }: ContentView): ElementContent[] {
  return [
    element('p', [element('code', [textNode(mediaType)]), textNode(` ${type}`)]),
    ...(fields.length === 0 ? [] : [table(fields)]),
    ...(isCut
      ? [element('p', [textNode('Some properties are left out here; the specification has them all.')])]
      : []),
  ];
}

function table(fields: readonly FieldView[]): Element {
  const row = ({ name, depth, type, isRequired, isDeprecated, description, notes, role }: FieldView) =>
    element('tr', [
      element('td', [
        // Inner properties are indented, and so are the forms that a value may have.
        textNode('\u{a0}\u{a0}'.repeat(depth)),
        element(role === 'alternative' ? 'em' : 'code', [textNode(name)]),
        ...(isRequired ? [textNode(' '), element('strong', [textNode('required')])] : []),
        ...(isDeprecated ? [textNode(' '), element('span', [textNode('deprecated')], ['badge'])] : []),
      ]),
      element('td', [textNode(type)]),
      element('td', [
        ...wordsOfCell(description),
        ...(notes.length === 0 ? [] : [textNode(`${description === '' ? '' : ' '}${notes.join('; ')}.`)]),
      ]),
    ]);
  const head = element(
    'tr',
    ['Name', 'Type', 'Description'].map((name) => element('th', [textNode(name)])),
  );
  return element('table', [element('thead', [head]), element('tbody', fields.map(row))]);
}

function labelled(name: string, value: ElementContent[]): Element {
  return element('p', [textNode(`${name}: `), ...value]);
}

/** Not a heading element: the outline of the page is the author’s. */
function heading(name: string): Element {
  return element('p', [element('strong', [textNode(name)])], ['block-title']);
}

function element(tagName: string, children: ElementContent[], className: readonly string[] = []): Element {
  return {
    type: 'element',
    tagName,
    properties: className.length === 0 ? {} : { className: [...className] },
    children,
  };
}
