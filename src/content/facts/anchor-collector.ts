import GithubSlugger from 'github-slugger';
import { MAX_ANCHORS, MAX_TEXT_LENGTH } from '../limits.ts';
import type { Anchor } from '../model.ts';
import { headingNames } from './heading-names.ts';

/**
 * Gathers the places that a fragment can point to, with GitHub's names: a heading's text in lower case without
 * punctuation, spaces as dashes, repeats counted with `-1`, `-2`; explicit `id` and `name` as written.
 */
export class AnchorCollector {
  readonly anchors: Anchor[] = [];
  #slugger = new GithubSlugger();
  #full = false;

  /** True when anchors were left out because there are too many. */
  get isFull(): boolean {
    return this.#full;
  }

  addHeading(text: string, level: number, line: number): void {
    const heading = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
    for (const name of headingNames(this.#slugger, text)) this.#add({ name, line, heading, level });
  }

  addExplicit(name: string, line: number): void {
    if (name !== '') this.#add({ name: name.slice(0, MAX_TEXT_LENGTH), line, heading: null, level: 0 });
  }

  #add(anchor: Anchor): void {
    if (this.anchors.length >= MAX_ANCHORS) this.#full = true;
    else this.anchors.push(anchor);
  }
}
