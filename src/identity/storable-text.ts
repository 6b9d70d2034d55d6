/** A text from elsewhere as a database stores it and people see it: XML and JSON can refer to any character. */
export function storableText(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').toWellFormed();
}
