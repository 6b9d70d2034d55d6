/** A block in its HTML form, `<div data-gb-custom-block data-tag="content-ref" data-url="a.md">`, and its body. */
export interface HtmlBlock {
  readonly name: string;
  /** Whether an argument says where the block leads. */
  readonly hasTarget: boolean;
  /** Offset of the body in the source. */
  readonly start: number;
  readonly body: string;
}

const MARK = 'data-gb-custom-block';

const TARGET = /\sdata-(?:url|src|0)=/;

/** Longer start tags and bodies are not looked at. */
const MAX_TAG = 2_000;
const MAX_BODY = 4_000;

/** Blocks as GitBook writes them inside lists and tables, in the order of the text, with what is up to the next end tag. */
export function findHtmlBlocks(source: string): readonly HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  for (let at = source.indexOf(MARK); at !== -1; at = source.indexOf(MARK, at + MARK.length)) {
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
