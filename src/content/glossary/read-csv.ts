import type { Language } from '../text/index.ts';
import type { GlossaryReading, PositionedText } from './glossary-reading.ts';

/** Reads `term,de,pt-BR` and a line for each term (RFC 4180); the separator may also be `;` or a tab. */
export function readCsv(text: string, reading: GlossaryReading): void {
  const separator = /^"?term"?[ ]*([,;\t])/i.exec(text)?.[1];
  const start = { line: 1, column: 1 };
  if (separator === undefined) {
    reading.report(
      start,
      'The first line must name the columns: `term`, then languages, such as `term,de,pt-BR`.',
    );
    return;
  }
  const [head = [], ...rows] = parseRows(text, separator, reading);
  const languages = head.slice(1).map((tag) => reading.language(tag));
  const named = new Map<Language | '*', PositionedText>();
  for (const [at, language] of languages.entries()) {
    const tag = head[at + 1];
    if (language === null || tag === undefined) continue;
    if (named.has(language)) reading.report(tag, `Two columns are for \`${language}\`. Remove one of them.`);
    named.set(language, tag);
  }
  for (const row of rows) {
    const [term, ...cells] = row;
    if (term === undefined || row.every((cell) => cell.text.trim() === '')) continue;
    const extra = cells[languages.length];
    if (extra !== undefined)
      reading.report(
        extra,
        `The line has ${row.length} cells, and the first line names ${head.length}. Put a cell that contains a separator in quotes.`,
      );
    reading.add(
      term,
      languages.flatMap((language, at) => {
        const cell = cells[at];
        return language === null || cell === undefined ? [] : [[language, cell] as const];
      }),
    );
  }
}

/** Returns the cells of each line with their positions. */
function parseRows(text: string, separator: string, reading: GlossaryReading): PositionedText[][] {
  const rows: PositionedText[][] = [[]];
  let [line, lineStart, at] = [1, 0, 0];
  const position = () => ({ line, column: at - lineStart + 1 });
  const nextLine = () => {
    line += 1;
    lineStart = at;
  };
  while (at < text.length) {
    const begin = position();
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) {
          reading.report(begin, 'The quote is never closed. A quote within a cell is written twice: `""`.');
          return rows;
        }
        if (text[at] === '"') {
          if (text[at + 1] !== '"') break;
          at += 1;
        } else if (text[at] === '\n') {
          line += 1;
          lineStart = at + 1;
        }
        cell += text[at];
      }
      at += 1;
      if (at < text.length && ![separator, '\r', '\n'].includes(text[at] ?? ''))
        reading.report(
          position(),
          'The cell continues after its closing quote. A quote within a cell is written twice: `""`.',
        );
    }
    const end = text.slice(at).search(separator === '\t' ? /[\t\n]/ : separator === ';' ? /[;\n]/ : /[,\n]/);
    const rest = end === -1 ? text.slice(at) : text.slice(at, at + end);
    cell += rest.replace(/\r$/, '');
    rows.at(-1)?.push({ text: cell, ...begin });
    at += rest.length;
    if (text[at] === '\n') {
      at += 1;
      nextLine();
      rows.push([]);
    } else if (text[at] === separator) {
      at += 1;
      if (at === text.length) rows.at(-1)?.push({ text: '', ...position() });
    }
  }
  return rows;
}
