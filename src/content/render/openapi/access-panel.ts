import type { Element, ElementContent } from 'hast';
import { box } from '../blocks/block-elements.ts';
import { element } from '../hast-elements.ts';
import { accessAlternatives, describeCredential } from './credentials.ts';
import { textNode, wordsOfCell } from './description-elements.ts';
import { codeNode, label } from './operation-parts.ts';
import type { CredentialView, OperationView, ServerVariableView } from './operation-view.ts';
import type { OperationWords } from './operation-words.ts';
import { serversOf } from './server-address.ts';

/** Where requests are sent, with what addresses leave open. */
export function serverPanel(operation: OperationView, words: OperationWords): ElementContent[] {
  const servers = serversOf(operation);
  if (servers.length === 0) return [];
  const items = servers.map(({ url, description, variables }) =>
    element('li', [
      element('p', [codeNode(url)]),
      ...(description === '' ? [] : [element('p', wordsOfCell(description))]),
      ...variables.map((variable) => variableLine(variable, words)),
    ]),
  );
  return [label(servers.length === 1 ? words.server : words.servers), box('ul', 'panel', items)];
}

function variableLine(
  { name, initial, values, description }: ServerVariableView,
  words: OperationWords,
): Element {
  const others = values.filter((value) => value !== initial);
  return element('p', [
    codeNode(`{${name}}`),
    textNode(': '),
    codeNode(initial),
    ...(others.length === 0 ? [] : [textNode(`, ${words.or} ${others.join(', ')}`)]),
    ...(description === '' ? [] : [textNode('. '), ...wordsOfCell(description)]),
  ]);
}

/** What it takes to be let in: one of the alternatives, each with all that is in it. */
export function accessPanel(operation: OperationView, words: OperationWords): ElementContent[] {
  const alternatives = accessAlternatives(operation);
  if (alternatives.length === 0) return [];
  const items = alternatives.map((credentials) =>
    element(
      'li',
      credentials.length === 0
        ? [element('p', [textNode(words.nothingNeeded)])]
        : credentials.flatMap((credential, at) => [
            ...(at === 0 ? [] : [element('p', [textNode(words.and)])]),
            ...credentialLines(credential, words),
          ]),
    ),
  );
  const title = alternatives.length === 1 ? words.authorization : words.authorizationOneOf;
  return [label(title), box('ul', 'panel', items)];
}

function credentialLines(credential: CredentialView, words: OperationWords): Element[] {
  const { name, description, scopes, addresses } = credential;
  const how = describeCredential(credential, words);
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
            textNode(`${words.scopes} `),
            ...scopes.flatMap((scope, at) => [...(at === 0 ? [] : [textNode(', ')]), codeNode(scope)]),
          ]),
        ]),
    ...addresses.map(({ label: what, url }) =>
      element('p', [
        textNode(`${addressLabel(what, words)}: `),
        element('a', [textNode(url)], /^https?:/i.test(url) ? { href: url } : {}),
      ]),
    ),
  ];
}

/** Views of operations name their addresses in English. */
function addressLabel(name: string, words: OperationWords): string {
  const known: Readonly<Record<string, string>> = {
    Authorization: words.authorization,
    'Device authorization': words.deviceAuthorization,
    Tokens: words.tokens,
    'OpenID configuration': words.configuration,
  };
  return Object.hasOwn(known, name) ? (known[name] as string) : name;
}
