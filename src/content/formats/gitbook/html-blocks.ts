/** A block in its HTML form, `<div data-gb-custom-block data-tag="content-ref" data-url="a.md">`, and its body. */
export interface HtmlBlock {
  readonly name: string;
  /** Whether an argument names the block's target. */
  readonly hasTarget: boolean;
  /** Offset of the body in the source. */
  readonly start: number;
  readonly body: string;
}

const ATTRIBUTE = 'data-gb-custom-block';

const TARGET = /\sdata-(?:url|src|0)=/;

/** Longest start tag and body, in UTF-16 code units; longer ones are not recognized. */
const MAX_TAG = 2_000;
const MAX_BODY = 4_000;

/** Finds blocks as GitBook writes them inside lists and tables, in text order; a body goes up to the next end tag. */
export function findHtmlBlocks(source: string): readonly HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  for (let at = source.indexOf(ATTRIBUTE); at !== -1; at = source.indexOf(ATTRIBUTE, at + ATTRIBUTE.length)) {
    const opens = source.slice(Math.max(0, at - MAX_TAG), at).lastIndexOf('<');
    const closes = source.slice(at, at + MAX_TAG).indexOf('>');
    if (opens === -1 || closes === -1) continue;
    const tag = source.slice(Math.max(0, at - MAX_TAG) + opens, at + closes);
    const [, element = '', rest = ''] = /^<(div|span)(\s[^<>]*)$/i.exec(tag) ?? [];
    const name = /\sdata-tag=["']?([\w-]+)/.exec(rest)?.[1];
    if (name === undefined) continue;
    const start = at + closes + 1;
    const end = source.slice(start, start + MAX_BODY).search(element.length === 3 ? /<\/div>/i : /<\/span>/i);
    if (end !== -1)
      blocks.push({ name, hasTarget: TARGET.test(rest), start, body: source.slice(start, start + end) });
  }
  return blocks;
}
