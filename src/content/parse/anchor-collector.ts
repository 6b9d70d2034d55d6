import { type Anchor, MAX_ANCHORS, MAX_TEXT_LENGTH } from '../model/index.ts';
import type { HeadingNamer } from '../text/index.ts';

/** Collects the targets of fragments: headings by the format's names, explicit ids as written. */
export class AnchorCollector {
  readonly anchors: Anchor[] = [];
  readonly #namer: HeadingNamer;
  #full = false;

  constructor(namer: HeadingNamer) {
    this.#namer = namer;
  }

  /** True when anchors were left out because there are too many. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Whether ids inside headings come through `addHeading` alone. */
  get ownsIds(): boolean {
    return this.#namer.ownsIds === true;
  }

  /** Adds a heading of HTML like any other, unless the builder does not name it. */
  addHtmlHeading(text: string, level: number, line: number, ids: readonly string[]): string {
    if (this.#namer.leavesHtml !== true) return this.addHeading(text, level, line, ids);
    return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
  }

  /** Returns the heading's text as readers see it. */
  addHeading(text: string, level: number, line: number, ids: readonly string[] = []): string {
    const named = this.#namer.name(text, level, ids);
    const heading = (named.text ?? text).replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
    for (const name of named.names) this.#add({ name, line, heading, level });
    return heading;
  }

  addExplicit(name: string, line: number): void {
    if (name !== '') this.#add({ name: name.slice(0, MAX_TEXT_LENGTH), line, heading: null, level: 0 });
  }

  #add(anchor: Anchor): void {
    if (this.anchors.length >= MAX_ANCHORS) this.#full = true;
    else this.anchors.push(anchor);
  }
}
