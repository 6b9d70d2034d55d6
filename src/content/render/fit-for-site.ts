import type { Element, ElementContent, Parents, Root } from 'hast';
import { API_STYLES, apiStyleOf } from './api-styles.ts';
import { type BlockTitles, titleOfBlock } from './blocks/block-titles.ts';
import { codeLanguageOf, element, hasClass, isElement, textOf, walkElements } from './hast-elements.ts';
import { playerOf } from './players.ts';

/** How many elements at the top of a page may stand before its first picture that is seen at once. */
const SEEN_AT_ONCE = 4;

interface SiteOptions {
  readonly blockTitles?: BlockTitles;
  readonly idPrefix?: string;
}

/**
 * What pages of published sites have beyond others: the text of a heading links to the heading, the tabs of a block have
 * one name, so that browsers keep one of them open, formulas are MathML, and a page that is written for two styles of an
 * API shows one of them. Videos of known providers can be played where they are, and diagrams can be drawn. Runs on the
 * finished tree, in linear time.
 */
export async function fitForSite(
  root: Root,
  { blockTitles: titles = {}, idPrefix = '' }: SiteOptions = {},
): Promise<void> {
  let blocks = 0;
  const formulas: Element[] = [];
  const styles = new Set<string>();
  // A link inside of something that is clicked would be a control in a control.
  const inControl = new Set<Parents>();
  walkElements(root, (current, parent) => {
    if (inControl.has(parent) || current.tagName === 'a' || current.tagName === 'summary')
      inControl.add(current);
    else if (/^h[2-6]$/.test(current.tagName)) linkHeading(current);
    if (current.tagName === 'div' && hasClass(current, 'tabs'))
      nameTabs(current, `${idPrefix}tabs-${++blocks}`);
    if (current.tagName === 'figure' && hasClass(current, 'video')) offerPlayer(current, titles);
    else if (current.tagName === 'pre') markDiagram(current);
    const formula = formulaIn(current);
    if (formula !== null) formulas.push(formula);
    if (typeof current.data?.call === 'string') current.properties['dataCall'] = current.data.call;
    const style = apiStyleOf(current);
    if (style !== null) styles.add(style);
  });
  loadFirstPictureAtOnce(root);
  if (styles.size > 1) insertStyleSwitch(root);
  if (formulas.length > 0) (await import('./write-math.ts')).writeMath(formulas);
}

function linkHeading(heading: Element): void {
  const { id } = heading.properties;
  if (typeof id !== 'string' || hasClass(heading, 'sr-only')) return;
  const targets = heading.children.filter(isTarget);
  const words = heading.children.filter((child) => !isTarget(child));
  if (words.some(containsControl)) return;
  const href = `#${encodeURIComponent(id)}`;
  heading.children = [...targets, element('a', words, { className: ['anchor'], href })];
}

/** Whether something only names the place where it is. */
function isTarget(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'a' && node.children.length === 0;
}

function containsControl(node: ElementContent): boolean {
  let isFound = false;
  walkElements({ type: 'root', children: [node] }, ({ tagName }) => {
    if (/^(?:a|summary|input)$/.test(tagName)) isFound = true;
  });
  return isFound;
}

function nameTabs(block: Element, name: string): void {
  for (const tab of block.children.filter(isElement)) {
    if (tab.tagName === 'details' && hasClass(tab, 'tab')) tab.properties['name'] = name;
  }
}

/** The link leads to the video; the script opens the player in its place when it is pressed. */
function offerPlayer(figure: Element, titles: BlockTitles): void {
  const link = figure.children.find(isElement);
  const href = link?.tagName === 'a' ? link.properties['href'] : undefined;
  const player = typeof href === 'string' ? playerOf(href) : null;
  if (link === undefined || player === null) return;
  link.properties['dataPlayer'] = player.address;
  // Nobody reads an address in the place of a title.
  if (!/^(?:https?:)?\/\//.test(textOf(link).trim())) return;
  link.children = [{ type: 'text', value: `${titleOfBlock('video', titles)} (${player.provider})` }];
}

/** The source of a diagram stays readable for those without the script that draws it. */
function markDiagram(pre: Element): void {
  const [only, ...others] = pre.children;
  if (only?.type !== 'element' || others.length > 0) return;
  if (codeLanguageOf(only)?.toLowerCase() === 'mermaid') pre.properties['className'] = ['diagram'];
}

/** The element that contains a formula; null for others. GitHub's code in the language `math` is one. */
function formulaIn(current: Element): Element | null {
  const [only, ...others] = current.children;
  if (current.tagName === 'pre' && only?.type === 'element' && others.length === 0) {
    if (codeLanguageOf(only)?.toLowerCase() !== 'math') return null;
    current.tagName = 'div';
    current.properties = { className: ['math'], tabIndex: current.properties['tabIndex'] };
    current.children = only.children;
    return current;
  }
  const isMath = /^(?:div|span)$/.test(current.tagName) && hasClass(current, 'math');
  return isMath && only?.type === 'text' && others.length === 0 ? current : null;
}

/** Browsers fetch a lazy picture late, also the one that people wait for. */
function loadFirstPictureAtOnce(root: Root): void {
  const first = root.children.filter(isElement).slice(0, SEEN_AT_ONCE);
  let isFound = false;
  walkElements({ type: 'root', children: first }, ({ tagName, properties }) => {
    if (tagName !== 'img' || isFound) return;
    isFound = true;
    delete properties['loading'];
  });
}

const STYLE_NAMES = { 'options-api': 'Options API', 'composition-api': 'Composition API' } as const;

/** The stylesheet hides the parts for the style that is not chosen, where browsers can; others show both. */
function insertStyleSwitch(root: Root): void {
  const choices = API_STYLES.map((style, at) => {
    const input = element('input', [], {
      type: 'radio',
      name: 'docloom-api',
      value: style,
      checked: at === 0,
    });
    return element('label', [input, { type: 'text', value: STYLE_NAMES[style] }]);
  });
  const own = element('fieldset', choices, { className: ['api-switch'], ariaLabel: 'API' });
  const title = root.children.findIndex((child) => child.type === 'element');
  const found = root.children[title];
  const hasTitle = found?.type === 'element' && found.tagName === 'h1';
  root.children.splice(hasTitle ? title + 1 : 0, 0, own);
}
