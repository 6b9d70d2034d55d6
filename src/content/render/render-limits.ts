import type { Html, Nodes, Root } from 'mdast';

/** A page with more text than this (UTF-16 code units) is not rendered. The largest seen in public repositories has 620,000. */
export const MAX_RENDER_LENGTH = 2_000_000;

/** How deep blocks and inline markup may nest. Pages written by people stay below 20. */
export const MAX_RENDER_DEPTH = 100;

/** The maximum number of parsed elements, including the missing cells of short table rows. */
export const MAX_RENDER_NODES = 200_000;

/**
 * The maximum number of elements that an HTML parser repeats because of unclosed raw HTML. A `<b>` that is never closed
 * is opened again in every later paragraph, so a few kilobytes could result in millions of elements.
 */
export const MAX_REPEATED_ELEMENTS = 50_000;

/** The page would take unreasonable time or memory to render. The message says what to change. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError';
}

/** @throws {RenderLimitError} when the text is too long to be rendered */
export function checkLength(markdown: string): void {
  if (markdown.length <= MAX_RENDER_LENGTH) return;
  const limit = MAX_RENDER_LENGTH / 1_000_000;
  throw new RenderLimitError(
    `This page has more than ${limit} million characters and is not shown here. Split it into several pages.`,
  );
}

/** @throws {RenderLimitError} when a parsed page has too many elements, nests too deep, or has raw HTML that would grow out of proportion */
export function checkTree(root: Root): void {
  const cost = new RawHtmlCost();
  const stack: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }];
  let nodes = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next;
    // Short rows of a table are filled up to the width of its head.
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
    `This page has more than ${MAX_RENDER_NODES} links, cells and other elements${at(node)} and is not shown here. Split it into several pages.`,
  );
}

function tooDeep(node: Nodes): RenderLimitError {
  return new RenderLimitError(
    `This page nests more than ${MAX_RENDER_DEPTH} elements${at(node)} and is not shown here. Close the elements, or nest fewer.`,
  );
}

function at(node: Nodes): string {
  return node.position ? ` at line ${node.position.start.line}` : '';
}

/** Elements that an HTML parser opens again in the next block when they were not closed. */
const FORMATTING: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);
/** Elements that limit the effect of closing tags: one inside cannot close a formatting element outside. */
const SCOPES: ReadonlySet<string> = new Set('applet caption marquee object td template th'.split(' '));
/** Elements without content and end tag. */
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that are closed by a following element of the same kind or by the end of their parent. */
const SELF_CLOSING: ReadonlySet<string> = new Set(
  'p li dt dd tr td th thead tbody tfoot option optgroup rp rt'.split(' '),
);

/** Overestimates: an element that may still be open counts as open. */
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
      const scope = this.#formatting.findLastIndex((candidate) => SCOPES.has(candidate));
      if (scope !== -1) this.#formatting.length = scope;
    }
    if (!VOID.has(name) && !SELF_CLOSING.has(name) && this.#depth > 0) this.#depth -= 1;
  }

  /** Whether there was one to close. */
  #closeFormatting(name: string): boolean {
    const scope = this.#formatting.findLastIndex((candidate) => SCOPES.has(candidate));
    const index = this.#formatting.lastIndexOf(name);
    if (index <= scope) return false;
    this.#formatting.splice(index, 1);
    return true;
  }

  #repeat(node: Nodes): void {
    this.#repeated += this.#formatting.length;
    if (this.#repeated <= MAX_REPEATED_ELEMENTS) return;
    throw new RenderLimitError(
      `This page leaves too many HTML elements such as <b> or <a> open${at(node)} and is not shown here. Close them.`,
    );
  }
}
