import type { Element, ElementContent } from 'hast';
import type { Block } from '../../dialect/index.ts';
import { codeLanguageOf, element, hasClass, isElement, textOf } from '../hast-elements.ts';
import { toneOf } from './hint-styles.ts';

type CreateElements = (values: Block['values'], children: ElementContent[]) => ElementContent[];

/** Names of containers that are hints in VitePress, Docusaurus and Starlight. */
const HINTS = 'info tip warning danger note important caution success secondary error bug'.split(' ');

/**
 * The elements of each kind of block. Components of MDX are listed as `<name>` in lower case. An unlisted block is
 * replaced with its content. The tree is sanitised afterwards, so values may be anything.
 */
const ELEMENTS: Readonly<Record<string, CreateElements>> = {
  hint: (values, children) => [hint(values.get('style') ?? 'info', children)],
  details: (values, children) => [
    details(extractTitle(children, [text('Details')]), children, { open: values.get('open') === 'open' }),
  ],
  tabs: (_values, children) => [box('div', 'tabs', openFirst(children))],
  tab: (values, children) => [tab(values.get('title'), children)],
  'code-group': (_values, children) => [box('div', 'tabs', openFirst(children.flatMap(codeTab)))],
  'code-tabs': (_values, children) => [box('div', 'tabs', openFirst(children))],
  'code-tabs-item': (values, children) => [tab(values.get('title'), children)],
  stepper: (_values, children) => [box('ol', 'stepper', children.filter(isElement))],
  step: (_values, children) => [box('li', 'step', children)],
  columns: (_values, children) => [box('div', 'columns', children)],
  column: (_values, children) => [box('div', 'column', children)],
  code: (values, children) => titled(values.get('title'), children),
  'content-ref': (values, children) => [box('div', 'content-ref', orLink(children, values.get('url')))],
  'page-ref': (values, children) => [box('div', 'content-ref', orLink(children, values.get('page')))],
  include: (values) => [box('div', 'include', orLink([], values.get('')))],
  embed: (values, children) => [reference('embed', values.get('url'), values.get('caption'), children)],
  file: (values, children) => [
    reference('file', values.get('src'), values.get('caption'), children, nameOf(values.get('src') ?? '')),
  ],
  openapi: operation('src'),
  'openapi-operation': operation('spec'),
  swagger: operation('src'),
  // The documentation of a program's object is not in the Markdown; its name is, and is an anchor.
  object: (values) => {
    const name = values.get('') ?? '';
    return [element('p', [element('code', [text(name)])], { id: name, className: ['openapi'] })];
  },
  updates: (_values, children) => [box('div', 'updates', children)],
  update: (values, children) => {
    const date = values.get('date');
    const head = date === undefined ? [] : [box('p', 'update-date', [text(date)])];
    return [box('section', 'update', [...head, ...children])];
  },
  prompt: (values, children) => [
    box('div', 'prompt', [...paragraph(values.get('description')), ...children]),
  ],
  title: (_values, children) => [box('p', 'block-title', inlineOf(children))],
  ...Object.fromEntries(HINTS.map((style) => [style, namedHint(style)])),

  '<tabs>': (_values, children) => [box('div', 'tabs', openFirst(children))],
  '<tabitem>': (values, children) => [tab(firstOf(values, 'label', 'title', 'value'), children)],
  '<tab>': (values, children) => [tab(firstOf(values, 'label', 'title', 'value'), children)],
  '<aside>': componentHint('note'),
  '<admonition>': componentHint('note'),
  '<note>': componentHint('note'),
  '<tip>': componentHint('tip'),
  '<warning>': componentHint('warning'),
  '<caution>': componentHint('caution'),
  '<danger>': componentHint('danger'),
  '<details>': (values, children) => [
    details([text(firstOf(values, 'summary', 'title') ?? 'Details')], children),
  ],
  '<accordion>': (values, children) => [details([text(firstOf(values, 'title') ?? 'Details')], children)],
  '<cardgrid>': (_values, children) => [box('div', 'cards', children)],
  '<cards>': (_values, children) => [box('div', 'cards', children)],
  '<card>': (values, children) => [card(values, children)],
  '<linkcard>': (values, children) => [card(values, [...paragraph(values.get('description')), ...children])],
  '<link>': (values, children) => [element('a', children, { href: firstOf(values, 'href', 'to') })],
  '<linkbutton>': (values, children) => [
    element('a', children, { href: values.get('href'), className: ['button'] }),
  ],
  '<badge>': (values, children) => [
    box('span', 'badge', children.length > 0 ? children : textsOf(values.get('text'))),
  ],
  '<image>': (values) => [element('img', [], { src: values.get('src'), alt: values.get('alt') })],
  '<code>': (values, children) => {
    const code = values.get('code');
    return code === undefined ? children : titled(values.get('title'), [preOf(code, values.get('lang'))]);
  },
};

/** Returns the elements of a block with its content. */
export function elementsOf({ kind, values }: Block, children: ElementContent[]): ElementContent[] {
  const make = Object.hasOwn(ELEMENTS, kind) ? ELEMENTS[kind] : undefined;
  if (make !== undefined) return make(values, children);
  // A custom block (`{% @owner/block url="…" %}`) may have an address to show.
  const url = kind.startsWith('@') ? values.get('url') : undefined;
  return url === undefined ? children : [reference('embed', url, undefined, children)];
}

/** Groups tabs that are not inside a block (Material's). */
export function groupTabs(children: ElementContent[]): ElementContent[] {
  if (!children.some(isTab)) return children;
  const grouped: ElementContent[] = [];
  let group: Element[] | null = null;
  for (const child of children) {
    if (isTab(child)) {
      if (group === null) {
        group = [];
        grouped.push(box('div', 'tabs', group));
      }
      group.push(child);
      if (group.length === 1) child.properties['open'] = true;
    } else if (child.type !== 'text' || child.value.trim() !== '') {
      group = null;
      grouped.push(child);
    } else if (group === null) grouped.push(child);
  }
  return grouped;
}

export function details(
  title: ElementContent[],
  children: ElementContent[],
  { open = false }: { readonly open?: boolean } = {},
): Element {
  return element('details', [element('summary', title), ...children], open ? { open: true } : {});
}

export function hint(style: string, children: ElementContent[]): Element {
  const title = extractTitle(children, []);
  const head = title.length === 0 ? [] : [box('p', 'hint-title', title)];
  return element('div', [...head, ...children], { className: ['hint', `hint-${toneOf(style)}`] });
}

export function reference(
  kind: 'embed' | 'file',
  url: string | undefined,
  caption: string | undefined,
  children: ElementContent[],
  label = url,
): Element {
  const words = caption === undefined || caption === '' ? children : [text(caption)];
  const hasWords = words.some((word) => textOf(word).trim() !== '');
  const link = url === undefined || url === '' ? [] : [element('a', textsOf(label), { href: url })];
  const figcaption = hasWords ? [element('figcaption', words)] : [];
  return element('figure', [...link, ...figcaption], { className: [kind] });
}

export function box(tagName: string, className: string, children: ElementContent[]): Element {
  return element(tagName, children, { className: [className] });
}

function namedHint(style: string): CreateElements {
  return (values, children) => {
    const name = values.get('') ?? style;
    const title = extractTitle(children, [text(name.charAt(0).toUpperCase() + name.slice(1))]);
    return [hint(style, [box('p', 'block-title', title), ...children])];
  };
}

function componentHint(style: string): CreateElements {
  return (values, children) => {
    const type = values.get('type') ?? style;
    const name = values.get('title') ?? type.charAt(0).toUpperCase() + type.slice(1);
    return [hint(type, [box('p', 'block-title', [text(name)]), ...children])];
  };
}

/** `GET /users` and the block's content; everything else is in the API's description. */
function operation(source: string): CreateElements {
  return (values, children) => {
    const words = [values.get('method')?.toUpperCase(), values.get('path')].filter(Boolean).join(' ');
    const head = words === '' ? [] : [element('p', [element('code', [text(words)])])];
    const from = children.some((child) => textOf(child).trim() !== '')
      ? children
      : orLink([], values.get(source));
    return [box('div', 'openapi', [...head, ...from])];
  };
}

function tab(title: string | undefined, children: ElementContent[]): Element {
  const own = extractTitle(children, textsOf(title));
  const summary = box('summary', 'tab-title', own.length === 0 ? [text('Tab')] : own);
  return element('details', [summary, ...children], { className: ['tab'] });
}

/** A figure of code as a tab; its title is the tab's. */
function codeTab(child: ElementContent): ElementContent[] {
  if (child.type !== 'element') return [];
  const caption = child.tagName === 'figure' ? child.children.find(isElement) : undefined;
  if (caption?.tagName === 'figcaption') {
    const rest = child.children.filter((part) => part !== caption);
    return [box('details', 'tab', [box('summary', 'tab-title', caption.children), ...rest])];
  }
  return child.tagName === 'pre' ? [tab(languageOfPre(child), [child])] : [child];
}

function languageOfPre(pre: Element): string | undefined {
  const code = pre.children.find(isElement);
  return code === undefined ? undefined : codeLanguageOf(code);
}

/** Adds a title to code as a figure; code without a title is not changed. */
function titled(title: string | undefined, children: ElementContent[]): ElementContent[] {
  if (title === undefined || title === '') return children;
  return [box('figure', 'code', [element('figcaption', [text(title)]), ...children])];
}

function preOf(code: string, language: string | undefined): Element {
  const className = language === undefined ? [] : [`language-${language}`];
  return element('pre', [element('code', [text(code)], { className })]);
}

function card(values: Block['values'], children: ElementContent[]): Element {
  const title = textsOf(values.get('title'));
  const href = firstOf(values, 'href', 'link', 'to');
  const words = href === undefined || title.length === 0 ? title : [element('a', title, { href })];
  return box('div', 'card', [...(words.length === 0 ? [] : [box('p', 'card-title', words)]), ...children]);
}

/** Removes the title that the block's own tags define from its children and returns it; `fallback` for none. */
function extractTitle(children: ElementContent[], fallback: ElementContent[]): ElementContent[] {
  const at = children.findIndex((child) => child.type !== 'text' || child.value.trim() !== '');
  const first = children[at];
  if (first?.type !== 'element' || !hasClass(first, 'block-title')) return fallback;
  children.splice(0, at + 1);
  return first.children.length === 0 ? fallback : first.children;
}

/** Unwraps the paragraph of a title. */
function inlineOf(children: ElementContent[]): ElementContent[] {
  return children
    .filter((child) => child.type !== 'text' || child.value.trim() !== '')
    .flatMap((child) => (isElement(child) && child.tagName === 'p' ? child.children : [child]));
}

/** Opens the first tab of a block; `groupTabs` may have grouped the tabs already. */
function openFirst(content: ElementContent[]): ElementContent[] {
  const children = content.flatMap((child) =>
    isElement(child) && child.tagName === 'div' && hasClass(child, 'tabs') ? child.children : [child],
  );
  const first = children.find(isTab);
  if (first !== undefined) first.properties['open'] = true;
  return children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
}

function isTab(node: ElementContent): node is Element {
  return isElement(node) && node.tagName === 'details' && hasClass(node, 'tab');
}

function orLink(children: ElementContent[], url: string | undefined): ElementContent[] {
  if (children.some((child) => textOf(child).trim() !== '')) return children;
  return url === undefined || url === '' ? [] : [element('p', [element('a', [text(url)], { href: url })])];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function paragraph(words: string | undefined): ElementContent[] {
  return words === undefined || words === '' ? [] : [element('p', [text(words)])];
}

function textsOf(words: string | undefined): ElementContent[] {
  return words === undefined || words === '' ? [] : [text(words)];
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function firstOf(values: Block['values'], ...keys: readonly string[]): string | undefined {
  return keys.map((key) => values.get(key)).find((value) => value !== undefined && value !== '');
}
