/** A block of a builder's syntax: its kind, and the values written after its name. */
export interface Block {
  readonly kind: string;
  readonly values: ReadonlyMap<string, string>;
}

/** The placeholder element of a block, which `expandBlocks` replaces with the real one. */
export const MARKER = 'docloom-block';

/**
 * The blocks of one page. Their tags become HTML that contains only a number, so nothing that an author wrote has to be
 * escaped, and the parsers of Markdown, MDX and HTML handle the content of blocks and tags that are never closed.
 */
export class BlockList {
  readonly #blocks: Block[] = [];

  /** Returns the start tag of a new block. */
  open(kind: string, values: ReadonlyMap<string, string> = new Map()): string {
    return `<${MARKER} data-n="${this.add(kind, values)}">`;
  }

  close(): string {
    return `</${MARKER}>`;
  }

  /** Returns a block without content. The line break makes it a block of HTML rather than a part of a paragraph. */
  empty(kind: string, values: ReadonlyMap<string, string>, indent = ''): string {
    return `${this.open(kind, values)}\n${indent}${this.close()}`;
  }

  /** Adds a block and returns its number. */
  add(kind: string, values: ReadonlyMap<string, string>): number {
    return this.#blocks.push({ kind, values }) - 1;
  }

  at(number: number): Block | undefined {
    return this.#blocks[number];
  }
}
