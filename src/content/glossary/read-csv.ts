import type { Language } from '../text/index.ts';
import type { GlossaryReading, PositionedText } from './glossary-reading.ts';

/** Reads `term,de,pt-BR` and a line for each term (RFC 4180); `;` or a tab may stand for the comma. */
export function readCsv(text: string, reading: GlossaryReading): void {
  const separator = /^"?term"?[ ]*([,;\t])/i.exec(text)?.[1];
  const start = { line: 1, column: 1 };
  if (separator === undefined) {
    reading.refuse(
      start,
      'The first line must name the columns: `term`, then languages, such as `term,de,pt-BR`.',
    );
    return;
  }
  const [head = [], ...rows] = parseRows(text, separator, reading);
  const languages = head.slice(1).map((said) => reading.language(said));
  const named = new Map<Language | '*', PositionedText>();
  for (const [at, language] of languages.entries()) {
    const said = head[at + 1];
    if (language === null || said === undefined) continue;
    if (named.has(language)) reading.refuse(said, `Two columns are for \`${language}\`. Keep one.`);
    named.set(language, said);
  }
  for (const row of rows) {
    const [term, ...cells] = row;
    if (term === undefined || row.every((cell) => cell.text.trim() === '')) continue;
    const over = cells[languages.length];
    if (over !== undefined)
      reading.refuse(
        over,
        `The line has ${row.length} cells, and the first line names ${head.length}. Put a cell that holds a separator in quotes.`,
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

/** The cells of each line with their places. */
function parseRows(text: string, separator: string, reading: GlossaryReading): PositionedText[][] {
  const rows: PositionedText[][] = [[]];
  let [line, lineStart, at] = [1, 0, 0];
  const place = () => ({ line, column: at - lineStart + 1 });
  const passLine = () => {
    line += 1;
    lineStart = at;
  };
  while (at < text.length) {
    const begin = place();
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) {
          reading.refuse(begin, 'The quote does not end. A quote within a cell is written twice: `""`.');
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
        reading.refuse(
          place(),
          'Something follows the quote that ends the cell. A quote within a cell is written twice: `""`.',
        );
    }
    const end = text.slice(at).search(separator === '\t' ? /[\t\n]/ : separator === ';' ? /[;\n]/ : /[,\n]/);
    const rest = end === -1 ? text.slice(at) : text.slice(at, at + end);
    cell += rest.replace(/\r$/, '');
    rows.at(-1)?.push({ text: cell, ...begin });
    at += rest.length;
    if (text[at] === '\n') {
      at += 1;
      passLine();
      rows.push([]);
    } else if (text[at] === separator) {
      at += 1;
      if (at === text.length) rows.at(-1)?.push({ text: '', ...place() });
    }
  }
  return rows;
}
