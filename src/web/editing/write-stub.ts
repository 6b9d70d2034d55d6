/** How many questions a new page lists. */
const LISTED = 10;

/** The text of a page that answers questions, for its author to go on: a title that is there already, then the questions. */
export function writeStub(page: string, questions: readonly string[]): string {
  const listed = [...new Set(questions.map(toLine).filter((line) => line !== ''))].slice(0, LISTED);
  const list = listed.map((line) => `- ${line}`).join('\n');
  return `${page.trimEnd()}\n\nPeople ask:\n\n${list}\n`;
}

/**
 * What somebody wrote, as text on a line that no builder takes for anything else. Braces begin expressions and tags in most of
 * them, and some do not know how to escape those.
 */
function toLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replace(/[\\`*_[\]<>|~&$#!:@]/g, '\\$&')
    .replace(/\bwww\./gi, 'www\\.')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]/, '\\$&');
}
