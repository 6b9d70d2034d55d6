import type { Element, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import temml from 'temml';
import { unified } from 'unified';
import { formulaOf } from './document/element-kinds.ts';
import { isElement, textOf, walkElements } from './hast-elements.ts';

/** A longer formula stays as written. In UTF-16 code units, as the next one. */
const MAX_FORMULA = 4_000;

/** Further formulas of a page stay as written. */
const MAX_PAGE = 100_000;

const OPTIONS = { throwOnError: true, trust: false, strict: false, maxExpand: 100 } as const;

const parser = unified().use(rehypeRaw).freeze();

/**
 * Writes formulas in TeX as MathML, which browsers show without a script. One that is not valid, or longer than formulas
 * are, stays as written. `formulas` are the elements that contain them.
 */
export function writeMath(formulas: readonly Element[]): void {
  let left = MAX_PAGE;
  for (const formula of formulas) {
    const tex = formulaOf(textOf(formula));
    if (tex === '' || tex.length > Math.min(MAX_FORMULA, left)) continue;
    left -= tex.length;
    const math = mathOf(tex, formula.tagName !== 'span');
    if (math !== null) formula.children = [math];
  }
}

function mathOf(tex: string, displayMode: boolean): Element | null {
  const value = written(tex, displayMode);
  if (value === null) return null;
  const tree = parser.runSync({ type: 'root', children: [{ type: 'raw', value }] } as Root) as Root;
  const math = tree.children.find(isElement);
  if (math === undefined) return null;
  walkElements(tree, replaceStyle);
  return math;
}

/** The policy of sites allows no styles in attributes: some have attributes of their own, others classes. */
function replaceStyle({ properties }: Element): void {
  const { style, className } = properties;
  delete properties['style'];
  if (typeof style !== 'string') return;
  const classes = Array.isArray(className) ? [...className] : [];
  for (const [, name = '', value = ''] of style.matchAll(/([\w-]+)\s*:\s*([^;]+)/g)) {
    if (name === 'color') properties['mathcolor'] = value;
    else if (name === 'background-color') properties['mathbackground'] = value;
    else if (name === 'border') classes.push('boxed');
    else if (/^padding-(?:left|right)$/.test(name) && Number.parseFloat(value) === 0) classes.push(name);
  }
  if (classes.length > 0) properties['className'] = classes;
}

/** Null for what is not valid TeX, and for what nests deeper than the parser can. */
function written(tex: string, displayMode: boolean): string | null {
  try {
    return temml.renderToString(tex, { ...OPTIONS, displayMode });
  } catch {
    return null;
  }
}
