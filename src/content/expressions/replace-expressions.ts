import { LineFence, skipFrontMatter } from '../text/index.ts';

const OPEN = '<code class="expression">';
const CLOSE = '</code>';

/** Whether a page may have expressions in its lines. */
export function hasLineExpressions(markdown: string): boolean {
  return markdown.includes('{{') || markdown.includes(OPEN);
}

/**
 * Replaces the expressions in the lines of a page, `{{ space.vars.version }}` and
 * `<code class="expression">space.vars.version</code>`, by what `valueFor` returns for them, as text: Markdown and HTML in it
 * are escaped. One for which it returns null stays as written. Code and front matter are left unchanged.
 */
export function replaceExpressions(
  markdown: string,
  valueFor: (expression: string) => string | null,
): string {
  if (!hasLineExpressions(markdown)) return markdown;
  const lines = markdown.split('\n');
  const fence = new LineFence();
  const begin = skipFrontMatter(lines);
  return lines
    .map((line, at) =>
      at < begin || fence.isInFence(line) ? line : replaceInLine(line, valueFor, asPlainText),
    )
    .join('\n');
}

/** As {@link replaceExpressions}, in a text without markup, such as a title: values are inserted as they are. */
export function replaceInText(text: string, valueFor: (expression: string) => string | null): string {
  return replaceInLine(text, valueFor, (value) => value);
}

function replaceInLine(
  line: string,
  valueFor: (expression: string) => string | null,
  written: (value: string, isAtStart: boolean) => string,
): string {
  if (!hasLineExpressions(line)) return line;
  let text = '';
  let at = 0;
  while (at < line.length) {
    const next = nextSpecialCharacter(line, at);
    text += line.slice(at, next);
    const [open, close] = line.startsWith('{{', next) ? ['{{', '}}'] : [OPEN, CLOSE];
    if (next >= line.length) break;
    if (line[next] === '\\') {
      text += line.slice(next, next + 2);
      at = next + 2;
    } else if (line[next] === '`') {
      at = afterCode(line, next);
      text += line.slice(next, at);
    } else if (!line.startsWith(open, next)) {
      text += line[next];
      at = next + 1;
    } else {
      const end = line.indexOf(close, next + open.length);
      // Without a closing delimiter here, no later expression of this kind has one.
      if (end === -1) return text + line.slice(next);
      const value = valueFor(decodeReferences(line.slice(next + open.length, end)).trim());
      const whole = line.slice(next, end + close.length);
      text += value === null ? whole : written(value, text.trim() === '');
      at = end + close.length;
    }
  }
  return text;
}

function nextSpecialCharacter(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const character = line[at];
    if (character === '{' || character === '<' || character === '`' || character === '\\') return at;
  }
  return line.length;
}

/** The offset after a code span of this line, else after its backticks. */
function afterCode(line: string, start: number): number {
  let opened = start;
  while (line[opened] === '`') opened += 1;
  const marks = line.slice(start, opened);
  let end = line.indexOf(marks, opened);
  while (end !== -1 && line[end + marks.length] === '`') {
    while (line[end] === '`') end += 1;
    end = line.indexOf(marks, end);
  }
  return end === -1 ? opened : end + marks.length;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  '#x26': '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
};

function decodeReferences(written: string): string {
  return written.replace(/&(amp|lt|gt|quot|#x27|#39|#x26);/g, (_all, name: string) => ENTITIES[name] ?? '');
}

/** Escapes text for both Markdown and HTML, so without backslashes, which HTML would show. */
function asPlainText(value: string, isAtStart: boolean): string {
  const line = value.replace(/\s+/g, ' ');
  const safe = line.replace(/[&<>*_`[\]~|{}\\$"]/g, toReference);
  return isAtStart ? safe.replace(/^[#+=\d-]/, toReference) : safe;
}

function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
