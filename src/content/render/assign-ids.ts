import type { Element, Parents, Root } from 'hast';
import type { Dialect } from '../dialect/index.ts';
import { githubHeadings, type HeadingNamer } from '../text/index.ts';
import { hasClass, textOf, walkElements } from './hast-elements.ts';
import { MARKDOWN_HEADING } from './to-hast.ts';

/**
 * Sets the ids of headings to the anchors that the link check expects, and leaves explicit ids unless they are in use.
 * Ids that begin with `reserved`, those of the frame around the page, are removed, and so is every id but the first of
 * several equal ones, because a fragment leads to the first. What is generated has none: they would be in the way of the
 * author's.
 */
export function assignIds(root: Root, reserved: string, dialect: Dialect): void {
  new IdAssigner(reserved, dialect).assign(root);
}

class IdAssigner {
  readonly #reserved: string;
  readonly #dialect: Dialect;
  readonly #namer: HeadingNamer;
  readonly #used = new Set<string>();
  /** Elements inside headings whose ids the namer returns. */
  readonly #owned = new Set<Element>();
  /** Further names, which count only where no other element has them. */
  readonly #aliases: { readonly element: Element; readonly names: readonly string[] }[] = [];
  // Run after the walk, which would remove the ids of inserted elements.
  readonly #insertions: (() => void)[] = [];

  constructor(reserved: string, dialect: Dialect) {
    this.#reserved = reserved;
    this.#dialect = dialect;
    this.#namer = (dialect.reading.options?.headings ?? githubHeadings)();
  }

  assign(root: Root): void {
    const last: Element[] = [];
    const generated = new Set<Parents>();
    walkElements(root, (element, parent) => {
      if (element.data?.isGenerated === true || generated.has(parent)) {
        generated.add(element);
        delete element.properties['id'];
        delete element.properties['name'];
        return;
      }
      if (this.#isNamedLast(element)) last.push(element);
      this.#visit(element);
    });
    for (const element of last) this.#addNames(element, this.#namer.name(textOf(element), 0, []).names);
    for (const { element, names } of this.#aliases) this.#addNames(element, names);
    for (const insert of this.#insertions) insert();
  }

  #visit(element: Element): void {
    const { properties } = element;
    const explicit = nameOf(element, 'id');
    const name = nameOf(element, 'name');
    delete properties['name'];
    delete properties['id'];
    const isMarkdown = properties[MARKDOWN_HEADING] !== undefined;
    delete properties[MARKDOWN_HEADING];
    const own = [explicit, name === explicit ? '' : name].filter(Boolean);
    const isUnnamed = this.#namer.leavesHtml === true && !isMarkdown;
    const level = this.#levelOf(element);
    const names = this.#owned.has(element) ? [] : [...own, ...this.#footnoteIds(explicit)];
    if (level !== null && !isUnnamed) names.unshift(...this.#nameHeading(element, level, own));
    this.#addNames(element, names);
  }

  #nameHeading(heading: Element, level: number, own: readonly string[]): readonly string[] {
    const whole = textOf(heading);
    const ids = [...own];
    walkElements({ type: 'root', children: heading.children }, (inner) => {
      for (const id of new Set([nameOf(inner, 'id'), nameOf(inner, 'name')])) if (id !== '') ids.push(id);
      if (this.#namer.ownsIds !== true) return;
      this.#owned.add(inner);
      // `<a href="#x" id="x"></a>` only names the heading; it has nothing to click.
      if (inner.tagName === 'a' && inner.children.length === 0) delete inner.properties['href'];
    });
    const { names, text } = this.#namer.name(whole, level, ids);
    if (text !== undefined) cutEnd(heading, whole, text);
    const aliases = this.#namer.aliases?.((text ?? whole).trim()) ?? [];
    if (aliases.length > 0) this.#aliases.push({ element: heading, names: aliases });
    return names;
  }

  #addNames(element: Element, names: readonly string[]): void {
    // Fragments are in lower case, see `toFragment`.
    const ids = [...names, ...names.map((name) => name.toLowerCase())].filter((id) => this.#claim(id));
    const first = element.properties['id'] === undefined ? ids.shift() : undefined;
    if (first !== undefined) element.properties['id'] = first;
    if (ids.length > 0) this.#insertions.push(() => element.children.unshift(...ids.map(anchor)));
  }

  /** Whether an id can be used; if so, it is in use from now on. */
  #claim(id: string): boolean {
    if (id === '' || this.#used.has(id) || (this.#reserved !== '' && id.startsWith(this.#reserved)))
      return false;
    this.#used.add(id);
    return true;
  }

  /** 1 to 6 for a heading, 0 for another element that is named like a heading; null for all others. */
  #levelOf(element: Element): number | null {
    if (/^h[1-6]$/.test(element.tagName)) return isFootnoteLabel(element) ? null : Number(element.tagName[1]);
    const isNamed = this.#dialect.reading.options?.headingElements?.includes(element.tagName) === true;
    return isNamed && !isTabTitle(element) ? 0 : null;
  }

  #isNamedLast(element: Element): boolean {
    const { named } = this.#dialect;
    return (named === 'tab-title' && isTabTitle(element)) || (named === 'term' && element.tagName === 'dt');
  }

  #footnoteIds(id: string): readonly string[] {
    return /^fn(?:ref)?-/.test(id) ? (this.#dialect.footnoteIds?.(id) ?? []) : [];
  }
}

/**
 * Returns the fragment that leads to an anchor of a rendered page. GitHub ignores case and its own prefix of ids;
 * browsers do not, so rendered pages have every id in lower case, too.
 */
export function toFragment(anchor: string): string {
  const name = anchor.toLowerCase();
  return `#${encodeURIComponent(name.replace(/^user-content-/, ''))}`;
}

/** Removes `{#id}` from the end of a heading: what its namer left out of the text. */
function cutEnd(heading: Element, whole: string, text: string): void {
  if (!whole.startsWith(text) || whole.length === text.length) return;
  let cut = whole.length - text.trimEnd().length;
  let at: Element = heading;
  while (cut > 0) {
    const last = at.children.at(-1);
    if (last?.type === 'element') at = last;
    else if (last?.type === 'text') {
      const rest = last.value.length - cut;
      cut -= last.value.length;
      if (rest > 0) last.value = last.value.slice(0, rest);
      else at.children.pop();
    } else return;
  }
}

function nameOf(element: Element, property: 'id' | 'name'): string {
  const value = element.properties[property];
  return typeof value === 'string' ? value : '';
}

function anchor(id: string): Element {
  return { type: 'element', tagName: 'span', properties: { id }, children: [] };
}

function isTabTitle(element: Element): boolean {
  const { tagName } = element;
  return tagName === 'summary' && hasClass(element, 'tab-title');
}

/** The heading above the footnotes is generated. */
function isFootnoteLabel(element: Element): boolean {
  return hasClass(element, 'sr-only');
}
