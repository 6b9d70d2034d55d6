import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { accessAlternatives, describeCredential } from './credentials.ts';
import { textNode, wordsOfCell } from './description-elements.ts';
import { codeNode, label } from './operation-parts.ts';
import type { CredentialView, OperationView, ServerVariableView } from './operation-view.ts';
import { serversOf } from './server-address.ts';

/** Where requests are sent, with what addresses leave open. */
export function serverPanel(operation: OperationView): ElementContent[] {
  const servers = serversOf(operation);
  if (servers.length === 0) return [];
  const items = servers.map(({ url, description, variables }) =>
    element('li', [
      element('p', [codeNode(url)]),
      ...(description === '' ? [] : [element('p', wordsOfCell(description))]),
      ...variables.map(variableLine),
    ]),
  );
  return [label(servers.length === 1 ? 'Server' : 'Servers'), box('ul', 'panel', items)];
}

function variableLine({ name, initial, values, description }: ServerVariableView): Element {
  const others = values.filter((value) => value !== initial);
  return element('p', [
    codeNode(`{${name}}`),
    textNode(': '),
    codeNode(initial),
    ...(others.length === 0 ? [] : [textNode(`, or ${others.join(', ')}`)]),
    ...(description === '' ? [] : [textNode('. '), ...wordsOfCell(description)]),
  ]);
}

/** What it takes to be let in: one of the alternatives, each with all that is in it. */
export function accessPanel(operation: OperationView): ElementContent[] {
  const alternatives = accessAlternatives(operation);
  if (alternatives.length === 0) return [];
  const items = alternatives.map((credentials) =>
    element(
      'li',
      credentials.length === 0
        ? [element('p', [textNode('Nothing: also without credentials.')])]
        : credentials.flatMap((credential, at) => [
            ...(at === 0 ? [] : [element('p', [textNode('and')])]),
            ...credentialLines(credential),
          ]),
    ),
  );
  const title = alternatives.length === 1 ? 'Authorization' : 'Authorization, one of';
  return [label(title), box('ul', 'panel', items)];
}

function credentialLines(credential: CredentialView): Element[] {
  const { name, description, scopes, addresses } = credential;
  const how = describeCredential(credential);
  return [
    element('p', [
      codeNode(name),
      ...(how === '' ? [] : [textNode(' '), box('span', 'type', [textNode(how)])]),
    ]),
    ...(description === '' ? [] : [element('p', wordsOfCell(description))]),
    ...(scopes.length === 0
      ? []
      : [
          element('p', [
            textNode(scopes.length === 1 ? 'With the scope ' : 'With the scopes '),
            ...scopes.flatMap((scope, at) => [...(at === 0 ? [] : [textNode(', ')]), codeNode(scope)]),
          ]),
        ]),
    ...addresses.map(({ label: what, url }) =>
      element('p', [
        textNode(`${what}: `),
        element('a', [textNode(url)], /^https?:/i.test(url) ? { href: url } : {}),
      ]),
    ),
  ];
}
