import type { Element, Root } from 'hast';
import type { Dialect } from '../dialect/index.ts';
import { githubHeadings, type HeadingNamer } from '../text/index.ts';
import { MARKDOWN_HEADING } from './to-hast.ts';
import { textOf, walkElements } from './walk-elements.ts';

/**
 * Gives every heading the anchors that the link check knows it by, and keeps explicit ids where they are free. An id of
 * the frame around the page (`reserved` is their common start) is dropped, and of two equal ids the first one stays,
 * because a fragment leads to the first.
 */
export function assignIds(root: Root, reserved: string, dialect: Dialect): void {
  new IdAssigner(reserved, dialect).place(root);
}

class IdAssigner {
  readonly #reserved: string;
  readonly #dialect: Dialect;
  readonly #namer: HeadingNamer;
  readonly #taken = new Set<string>();
  /** Ids inside headings whose namer answers them. */
  readonly #owned = new Set<Element>();
  // Put in when the walk is over, or it would meet them and take their ids away again.
  readonly #inserted: (() => void)[] = [];

  constructor(reserved: string, dialect: Dialect) {
    this.#reserved = reserved;
    this.#dialect = dialect;
    this.#namer = (dialect.reading.options?.headings ?? githubHeadings)();
  }

  place(root: Root): void {
    const last: Element[] = [];
    walkElements(root, (element) => {
      if (this.#isNamedLast(element)) last.push(element);
      this.#visit(element);
    });
    for (const element of last) this.#addNames(element, this.#namer.name(textOf(element), 0, []).names);
    for (const insert of this.#inserted) insert();
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
    const isLeft = this.#namer.leavesHtml === true && !isMarkdown;
    const level = this.#levelOf(element);
    const names = this.#owned.has(element) ? [] : [...own, ...this.#footnoteIds(explicit)];
    if (level !== null && !isLeft) names.unshift(...this.#nameHeading(element, level, own));
    this.#addNames(element, names);
  }

  #nameHeading(heading: Element, level: number, own: readonly string[]): readonly string[] {
    const said = textOf(heading);
    const ids = [...own];
    walkElements({ type: 'root', children: heading.children }, (inner) => {
      for (const id of new Set([nameOf(inner, 'id'), nameOf(inner, 'name')])) if (id !== '') ids.push(id);
      if (this.#namer.ownsIds !== true) return;
      this.#owned.add(inner);
      // `<a href="#x" id="x"></a>` only names the heading; nobody could click it.
      if (inner.tagName === 'a' && inner.children.length === 0) delete inner.properties['href'];
    });
    const { names, text } = this.#namer.name(said, level, ids);
    if (text !== undefined) cutEnd(heading, said, text);
    return names;
  }

  #addNames(element: Element, names: readonly string[]): void {
    // Fragments are sought in lower case, see `toFragment`.
    const free = [...names, ...names.map((name) => name.toLowerCase())].filter((one) => this.#take(one));
    const first = element.properties['id'] === undefined ? free.shift() : undefined;
    if (first !== undefined) element.properties['id'] = first;
    if (free.length > 0) this.#inserted.push(() => element.children.unshift(...free.map(anchor)));
  }

  #take(id: string): boolean {
    if (id === '' || this.#taken.has(id) || (this.#reserved !== '' && id.startsWith(this.#reserved)))
      return false;
    this.#taken.add(id);
    return true;
  }

  /** 1 to 6 for a heading, 0 for another element that is named like one; null for all others. */
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
 * The fragment that leads to an anchor of a rendered page. GitHub finds an anchor whatever the case, with or without
 * the prefix that it puts before ids itself; browsers do not, so rendered pages have every id in lower case too.
 */
export function toFragment(anchor: string): string {
  const name = anchor.toLowerCase();
  return `#${encodeURIComponent(name.replace(/^user-content-/, ''))}`;
}

/** Takes `{#id}` off the end of a heading: what its namer left out of the text. */
function cutEnd(heading: Element, said: string, kept: string): void {
  if (!said.startsWith(kept) || said.length === kept.length) return;
  let cut = said.length - kept.trimEnd().length;
  let at: Element = heading;
  while (cut > 0) {
    const last = at.children.at(-1);
    if (last?.type === 'element') at = last;
    else if (last?.type === 'text') {
      const stays = last.value.length - cut;
      cut -= last.value.length;
      if (stays > 0) last.value = last.value.slice(0, stays);
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

function isTabTitle({ tagName, properties }: Element): boolean {
  const { className } = properties;
  return tagName === 'summary' && Array.isArray(className) && className.includes('tab-title');
}

/** The heading over the footnotes is not the author's. */
function isFootnoteLabel(element: Element): boolean {
  const { className } = element.properties;
  return Array.isArray(className) && className.includes('sr-only');
}
