/** Of each text in a table cell, in UTF-16 code units. */
export const MAX_CELL_LENGTH = 600;

export function shortenText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
