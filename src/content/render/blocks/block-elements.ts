import type { Element, ElementContent } from 'hast';
import type { Block } from '../../dialect/index.ts';
import { codeLanguageOf, element, hasClass, isElement, textOf } from '../hast-elements.ts';
import { type BlockTitles, titleOfBlock } from './block-titles.ts';
import { toneOf } from './hint-styles.ts';

type CreateElements = (
  values: Block['values'],
  children: ElementContent[],
  titles: BlockTitles,
) => ElementContent[];

/** Names of containers that are hints in VitePress, Docusaurus and Starlight. */
const HINTS = 'info tip warning danger note important caution success secondary error bug'.split(' ');

/**
 * The elements of each kind of block. Components of MDX are listed as `<name>` in lower case. An unlisted block is
 * replaced with its content. The tree is sanitised afterwards, so values may be anything.
 */
const ELEMENTS: Readonly<Record<string, CreateElements>> = {
  hint: (values, children) => [hint(values.get('style') ?? 'info', children)],
  details: (values, children, titles) => [
    details(extractTitle(children, [text(titleOfBlock('details', titles))]), children, {
      open: values.get('open') === 'open',
    }),
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

  '<filetree>': (_values, children) => [box('div', 'file-tree', children)],
  '<steps>': (_values, children) => children.map(stepsOf),
  // What a component shows at a place of its own choice.
  '<fragment>': (values, children) =>
    values.has('slot') ? [element('div', children, { dataSlot: values.get('slot') ?? '' })] : children,
  '<preview>': (_values, children) => previewOf(children),
  '<since>': (values) => [box('span', 'badge', textsOf(values.get('v')))],
  '<readmore>': (_values, children) => [box('div', 'read-more', children)],
  '<youtube>': (values, children) => [reference('embed', youtubeOf(values.get('id')), undefined, children)],
  '<vtcodegroup>': (_values, children) => [box('div', 'tabs', openFirst(children))],
  '<vtcodegrouptab>': (values, children) => [tab(values.get('label'), children)],
  '<tabs>': (_values, children) => [box('div', 'tabs', openFirst(children))],
  '<tabitem>': (values, children) => {
    const item = tab(firstOf(values, 'label', 'title', 'value'), children);
    if (values.has('default')) item.properties['open'] = true;
    return [item];
  },
  '<tab>': (values, children) => [tab(firstOf(values, 'label', 'title', 'value'), children)],
  '<aside>': componentHint('note'),
  '<admonition>': componentHint('note'),
  '<note>': componentHint('note'),
  '<tip>': componentHint('tip'),
  '<warning>': componentHint('warning'),
  '<caution>': componentHint('caution'),
  '<danger>': componentHint('danger'),
  '<details>': componentDetails,
  '<accordion>': componentDetails,
  '<collapsible>': componentDetails,
  '<detailedexplanation>': componentDetails,
  '<spoiler>': componentDetails,
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
export function elementsOf(
  { kind, values }: Block,
  children: ElementContent[],
  titles: BlockTitles,
): ElementContent[] {
  const make = Object.hasOwn(ELEMENTS, kind) ? ELEMENTS[kind] : undefined;
  if (make !== undefined) return make(values, children, titles);
  if (/^<\w+tabs>$/.test(kind)) return [box('div', 'tabs', openFirst(children.map(slotTab)))];
  if (kind.startsWith('<') && values.has('href')) return linkedComponent(values, children);
  // A custom block (`{% @owner/block url="…" %}`) may have an address to show.
  const url = kind.startsWith('@') ? values.get('url') : undefined;
  return url === undefined ? children : [reference('embed', url, undefined, children)];
}

/** Groups tabs that are not inside a block (Material's). */
export function groupTabs(children: ElementContent[]): ElementContent[] {
  if (!children.some(isTab)) return children;
  const grouped: ElementContent[] = [];
  const groups: Element[][] = [];
  let group: Element[] | null = null;
  for (const child of children) {
    if (isTab(child)) {
      if (group === null) {
        group = [];
        groups.push(group);
        grouped.push(box('div', 'tabs', group));
      }
      group.push(child);
    } else if (child.type !== 'text' || child.value.trim() !== '') {
      group = null;
      grouped.push(child);
    } else if (group === null) grouped.push(child);
  }
  for (const tabs of groups) openOne(tabs);
  return grouped;
}

/** Components with the names of elements that HTML has, too. */
const HTML_NAMES: ReadonlySet<string> = new Set(['details', 'code', 'link', 'image']);

/** Whether an element is a component that is shown as a block or as a link. */
export function isComponent({ tagName, properties }: Element): boolean {
  if (HTML_NAMES.has(tagName)) return false;
  const isLink = typeof properties['href'] === 'string' && /(?:link|button|card|lesson)$/.test(tagName);
  return isLink || Object.hasOwn(ELEMENTS, `<${tagName}>`);
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
  const isVideo = kind === 'embed' && VIDEO.test(url ?? '');
  return element('figure', [...link, ...figcaption], { className: isVideo ? [kind, 'video'] : [kind] });
}

const VIDEO =
  /^(?:https?:)?\/\/(?:www\.|player\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|loom\.com|wistia\.com)\//i;

export function box(tagName: string, className: string, children: ElementContent[]): Element {
  return element(tagName, children, { className: [className] });
}

function namedHint(style: string): CreateElements {
  return (values, children, titles) => {
    const title = extractTitle(children, [text(titleOfBlock(values.get('') ?? style, titles))]);
    return [hint(style, [box('p', 'block-title', title), ...children])];
  };
}

function componentHint(style: string): CreateElements {
  return (values, children, titles) => {
    const type = values.get('type') ?? style;
    const name = values.get('title') ?? titleOfBlock(type, titles);
    return [hint(type, [box('p', 'block-title', [text(name)]), ...children])];
  };
}

function componentDetails(
  values: Block['values'],
  children: ElementContent[],
  titles: BlockTitles,
): ElementContent[] {
  return [
    details(
      [text(firstOf(values, 'summary', 'title', 'label') ?? titleOfBlock('details', titles))],
      children,
    ),
  ];
}

/** A list of steps is a list in the component. */
function stepsOf(child: ElementContent): ElementContent {
  if (!isElement(child) || child.tagName !== 'ol') return child;
  const steps = child.children.map((item) =>
    isElement(item) && item.tagName === 'li' ? box('li', 'step', item.children) : item,
  );
  return box('ol', 'stepper', steps);
}

/** A named part of a component of tabs, such as `<PackageManagerTabs>`, is a tab with that name. */
function slotTab(child: ElementContent): ElementContent {
  const slot = isElement(child) ? child.properties['dataSlot'] : undefined;
  return isElement(child) && typeof slot === 'string' ? tab(nameOfSlot(slot), child.children) : child;
}

/** Frameworks are written with a capital, and the commands of package managers as they are typed. */
function nameOfSlot(slot: string): string {
  if (/^(?:npm|npx|pnpm|yarn|bun|deno)$/.test(slot)) return slot;
  return slot === 'mdx' ? 'MDX' : slot.charAt(0).toUpperCase() + slot.slice(1);
}

/** Starlight's own pages: the same sample in two languages, and what it looks like. */
function previewOf(children: ElementContent[]): ElementContent[] {
  const slotOf = (child: ElementContent) => (isElement(child) ? child.properties['dataSlot'] : undefined);
  const markdoc = children.find((child) => slotOf(child) === 'markdoc');
  if (markdoc === undefined || !isElement(markdoc)) return children;
  const samples = children.filter((child) => slotOf(child) === undefined);
  const tabs = box('div', 'tabs', openFirst([tab('MDX', samples), tab('Markdoc', markdoc.children)]));
  return [tabs, ...children.filter((child) => child !== markdoc && slotOf(child) !== undefined)];
}

/** A component that nobody knows here leads somewhere: its words are the link, else its title. */
function linkedComponent(values: Block['values'], children: ElementContent[]): ElementContent[] {
  const href = values.get('href');
  const isBlock = children.some(
    (child) => isElement(child) && /^(?:p|div|h[1-6]|ul|ol|pre)$/.test(child.tagName),
  );
  if (isBlock) return [card(values, children)];
  if (children.some((child) => textOf(child).trim() !== '')) return [element('a', children, { href })];
  return [reference('embed', href, undefined, [], firstOf(values, 'title', 'label', 'text', 'name') ?? href)];
}

function youtubeOf(id: string | undefined): string | undefined {
  return id === undefined || /^https?:/.test(id) ? id : `https://www.youtube.com/watch?v=${id}`;
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
  openOne(children.filter(isTab));
  return children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
}

/** Opens the tab that the author chose, else the first. */
function openOne(tabs: readonly Element[]): void {
  const chosen = tabs.find(({ properties }) => properties['open'] === true) ?? tabs[0];
  for (const one of tabs) {
    if (one === chosen) one.properties['open'] = true;
    else delete one.properties['open'];
  }
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
