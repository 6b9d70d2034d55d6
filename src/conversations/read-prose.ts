import { replaceEntities } from '../content/search/index.ts';

/**
 * The prose of a message in Markdown or HTML, as plain text: without code, quotes of earlier messages, tags and marks.
 * Roughly: what is read here becomes titles and terms, and is never shown as HTML.
 */
export function readProse(body: string): string {
  const text = body
    .replace(/\r\n?/g, '\n')
    .replace(/<(script|style|pre)\b[^>]{0,500}>[\s\S]{0,20000}?<\/\1\s{0,3}>/gi, '\n')
    .replace(/<!--[\s\S]{0,20000}?-->/g, ' ')
    .replace(/^ {0,3}(```|~~~)[^\n]{0,200}\n[\s\S]{0,20000}?(?:^ {0,3}\1[ \t]*$|$(?![\s\S]))/gm, '\n')
    .replace(/^ {0,3}>[^\n]*$/gm, '')
    .replace(/<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|td|blockquote)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z][^<>\n]{0,500}>/gi, '')
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,2000}(?:\([^()\s]{0,2000}\)[^()\s]{0,2000})?\)/g, '$1')
    .replace(/https?:\/\/[^\s<>"')\]]{1,2000}/g, ' ')
    .replace(/^ {0,3}(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ x]\][ \t]+)?/gm, '')
    .replace(/\*{1,3}([^*\n]{1,300})\*{1,3}/g, '$1')
    .replace(/(?<!\w)_{1,3}([^_\n]{1,300})_{1,3}(?!\w)/g, '$1')
    .replaceAll('`', '');
  return replaceEntities(text)
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
