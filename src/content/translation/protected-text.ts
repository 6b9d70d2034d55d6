import type { Part } from './segment.ts';

/**
 * Lines inside a paragraph that are builders' syntax: GitBook's and Jekyll's tags, containers, admonitions, tabs and
 * snippets of Python-Markdown, code of VitePress, GitHub's alerts, abbreviations.
 */
const BUILDER_LINE =
  /(?:\{%[^\n]*%\}|:{3,}[^\n]*|<<<[^\n]*|!!![^\n]*|\?\?\?[^\n]*|===[^\n]*|\[\[?toc\]?\]|-*8<-*[^\n]*|\[![A-Za-z]+\][^\n]*|\*\[[^\]\n]+\]:[^\n]*)/i
    .source;

const PROTECTED = new RegExp(
  [
    `(?:(?:^|\\n)[ \\t>]*${BUILDER_LINE}[ \\t]*(?=\\n|$))+(?:\\n[ \\t>]*)?`,
    // A definition below its term.
    '\\n[ \\t>]*:[ \\t]+',
    // What opens again before it is closed is not matched: each of thousands of openings would be followed to the end.
    '\\{\\{(?:(?!\\{\\{)[\\s\\S])*?\\}\\}',
    '\\{%(?:(?!\\{%)[\\s\\S])*?%\\}',
    '<%(?:(?!<%)[\\s\\S])*?%>',
    '\\$\\{(?:(?!\\$\\{)[^}\\n])*\\}',
    // Attributes of the text before, and placeholders.
    '(?:(?<![ \\t])[ \\t]+)?\\{\\s*[#.:][^{}\\n]*\\}',
    '\\{[\\w.$-]*\\}',
    '\\[\\^[^[\\]\\n]+\\]',
    '\\[\\[[^[\\]\\n]*\\]\\]',
    ':[a-z][a-z0-9_+-]*:',
    '\\b(?:https?|ftp|mailto):[^\\s<>()\\[\\]]*[^\\s<>()\\[\\].,;:!?\'"]',
    '\\b[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63})+',
    '(?<![\\w@])@[A-Za-z][\\w./-]*\\w',
    '&(?:#\\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);',
    // A name with escaped underscores as a whole, else the escaped character alone.
    '(?<!\\w)\\w*(?:\\\\_\\w+)+',
    '\\\\[!-/:-@\\[-`{-~]',
    '\\$\\$[\\s\\S]+?\\$\\$',
    '\\$(?=[^$\\n]*[\\\\^_=])[^\\s$][^$\\n]*\\$',
    '%(?:\\d+\\$)?[sdif@]\\b|%\\(\\w+\\)[sd]',
    '</?[A-Za-z][^<>\\n]*>',
  ].join('|'),
  'giu',
);

/** Splits a text of Markdown, as written in the file, into words and parts that must not change. */
export function splitText(raw: string, offset: number): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const addText = (end: number) => {
    if (end > at) {
      const text = raw.slice(at, end).replace(/(?<![ \t])[ \t]*\r?\n[ \t>]*/g, ' ');
      parts.push({ type: 'text', start: offset + at, end: offset + end, text });
    }
  };
  for (const match of raw.matchAll(PROTECTED)) {
    if (match[0] === '') continue;
    addText(match.index);
    const end = match.index + match[0].length;
    parts.push({ type: 'atom', start: offset + match.index, end: offset + end, raw: match[0] });
    at = end;
  }
  addText(raw.length);
  return parts;
}
