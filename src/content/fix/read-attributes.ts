import { decodeAttributeValue } from './decode-references.ts';

/** A value of a tag or block, as offsets between its quotes. */
export interface AttributeValue {
  readonly start: number;
  readonly end: number;
  readonly notation: 'double' | 'single' | 'unquoted';
  readonly value: string;
}

/** Attributes with texts or names, which are never destinations. */
const NAMES_AND_WORDS =
  /^(?:alt|title|class|classname|id|name|label|style|target|rel|width|height|aria-.*)$/i;

const ATTRIBUTE = /([^\s"'<>/=]{1,50})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+))/g;

/** The values of `name=value` in an HTML tag, a component's tag or a block `{% … %}`. */
export function readAttributes(construct: string): readonly AttributeValue[] {
  return [...construct.matchAll(ATTRIBUTE)].flatMap((match) => {
    const [all, name = '', double, single, unquoted] = match;
    if (NAMES_AND_WORDS.test(name)) return [];
    const raw = double ?? single ?? unquoted ?? '';
    const notation = double !== undefined ? 'double' : single !== undefined ? 'single' : 'unquoted';
    const end = match.index + all.length - (notation === 'unquoted' ? 0 : 1);
    return { start: end - raw.length, end, notation, value: decodeAttributeValue(raw) };
  });
}
