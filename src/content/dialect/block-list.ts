/** One block of a builder: what it is, and what was written beside its name. */
export interface Block {
  readonly kind: string;
  readonly values: ReadonlyMap<string, string>;
}

/** The element that stands for a block until `expandBlocks` puts the real one there. */
export const MARKER = 'docloom-block';

/**
 * The blocks of one page. Their tags become HTML that only holds a number, so nothing of what an author wrote has to be
 * quoted, and the parsers of Markdown, MDX and HTML see to what they hold and to tags that nobody closed.
 */
export class BlockList {
  readonly #blocks: Block[] = [];

  /** The start tag of a new block. */
  open(kind: string, values: ReadonlyMap<string, string> = new Map()): string {
    return `<${MARKER} data-n="${this.add(kind, values)}">`;
  }

  close(): string {
    return `</${MARKER}>`;
  }

  /** A block that holds nothing. The line break makes it a block of HTML rather than a part of a paragraph. */
  empty(kind: string, values: ReadonlyMap<string, string>, indent = ''): string {
    return `${this.open(kind, values)}\n${indent}${this.close()}`;
  }

  /** Keeps a block and answers its number. */
  add(kind: string, values: ReadonlyMap<string, string>): number {
    return this.#blocks.push({ kind, values }) - 1;
  }

  at(number: number): Block | undefined {
    return this.#blocks[number];
  }
}
