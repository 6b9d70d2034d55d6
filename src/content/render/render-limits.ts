import type { Html, Nodes, Root } from 'mdast';

/** A page with more text than this (UTF-16 code units) is not rendered. The largest seen in public repositories has 620,000. */
export const MAX_RENDER_LENGTH = 2_000_000;

/** Blocks and inline markup inside one another. People stay below 20. */
export const MAX_RENDER_DEPTH = 100;

/** Parsed elements, table cells that short rows leave out counted with them. */
export const MAX_RENDER_NODES = 200_000;

/**
 * Elements that unclosed raw HTML may make an HTML parser repeat. A `<b>` that nobody closes is opened again in
 * every later paragraph, so a few kilobytes could ask for millions of elements.
 */
export const MAX_REPEATED_ELEMENTS = 50_000;

/** A page that would take unreasonable time or memory to show. The message says what to change. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError';
}

/** Throws when the text alone is too long to be parsed for readers. */
export function checkLength(markdown: string): void {
  if (markdown.length <= MAX_RENDER_LENGTH) return;
  const limit = MAX_RENDER_LENGTH / 1_000_000;
  throw new RenderLimitError(
    `This page holds more than ${limit} million characters and is not shown here. Split it into several pages.`,
  );
}

/** Throws when a parsed page nests too deep, or holds raw HTML that would grow out of proportion. Walks without recursion. */
export function checkTree(root: Root): void {
  const cost = new RawHtmlCost();
  const stack: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }];
  let nodes = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next;
    // A row of a table is as wide as the table's head, however short it is written.
    nodes += node.type === 'table' ? (node.align?.length ?? 0) * node.children.length : 1;
    if (nodes > MAX_RENDER_NODES) throw tooMany(node);
    if (depth > MAX_RENDER_DEPTH) throw tooDeep(node);
    if (node.type === 'html') cost.addHtml(node);
    else cost.addMarkdown(node);
    if (!('children' in node)) continue;
    for (const child of node.children.toReversed()) stack.push({ node: child as Nodes, depth: depth + 1 });
  }
}

function tooMany(node: Nodes): RenderLimitError {
  return new RenderLimitError(
    `This page holds more than ${MAX_RENDER_NODES} links, cells and other elements${at(node)} and is not shown here. Split it into several pages.`,
  );
}

function tooDeep(node: Nodes): RenderLimitError {
  return new RenderLimitError(
    `This page nests more than ${MAX_RENDER_DEPTH} elements inside one another${at(node)} and is not shown here. Close the elements, or nest less.`,
  );
}

function at(node: Nodes): string {
  return node.position ? ` at line ${node.position.start.line}` : '';
}

/** Elements that an HTML parser opens again wherever they were not closed. */
const FORMATTING: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);
/** Elements that shut such elements in, so that a closing tag inside cannot reach one outside. */
const SCOPES: ReadonlySet<string> = new Set('applet caption marquee object td template th'.split(' '));
/** Elements that hold nothing and need no end. */
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that a following one of their kind, or the end of their parent, closes by itself. */
const SELF_CLOSING: ReadonlySet<string> = new Set(
  'p li dt dd tr td th thead tbody tfoot option optgroup rp rt'.split(' '),
);

/** Counts on the safe side: an element that may still be open counts as open. */
class RawHtmlCost {
  #formatting: string[] = [];
  #depth = 0;
  #repeated = 0;

  /** A node of Markdown: each formatting element that raw HTML left open may be repeated in it. */
  addMarkdown(node: Nodes): void {
    if (node.type !== 'text') this.#repeat(node);
  }

  addHtml(node: Html): void {
    for (const [, end, name = ''] of node.value.toLowerCase().matchAll(/<(\/?)([a-z][^\s/>]*)/g)) {
      if (end) this.#close(name);
      else this.#open(name, node);
    }
  }

  #open(name: string, node: Html): void {
    this.#repeat(node);
    if (FORMATTING.has(name)) {
      // A second <a> closes the first.
      if ((name === 'a' || name === 'nobr') && this.#closeFormatting(name)) this.#depth -= 1;
      this.#formatting.push(name);
    } else if (SCOPES.has(name)) {
      this.#formatting.push(name);
    }
    if (VOID.has(name) || SELF_CLOSING.has(name)) return;
    this.#depth += 1;
    if (this.#depth > MAX_RENDER_DEPTH) throw tooDeep(node);
  }

  #close(name: string): void {
    if (FORMATTING.has(name)) this.#closeFormatting(name);
    if (SCOPES.has(name)) {
      const scope = this.#formatting.findLastIndex((one) => SCOPES.has(one));
      if (scope !== -1) this.#formatting.length = scope;
    }
    if (!VOID.has(name) && !SELF_CLOSING.has(name) && this.#depth > 0) this.#depth -= 1;
  }

  /** Whether there was one to close. */
  #closeFormatting(name: string): boolean {
    const scope = this.#formatting.findLastIndex((one) => SCOPES.has(one));
    const index = this.#formatting.lastIndexOf(name);
    if (index <= scope) return false;
    this.#formatting.splice(index, 1);
    return true;
  }

  #repeat(node: Nodes): void {
    this.#repeated += this.#formatting.length;
    if (this.#repeated <= MAX_REPEATED_ELEMENTS) return;
    throw new RenderLimitError(
      `This page leaves HTML elements such as <b> or <a> open${at(node)}, too many to be shown here. Close them.`,
    );
  }
}
