const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýž'].map((sign, at) => [String.fromCharCode(97 + at), sign]),
);
const CAPITALS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'ÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ'].map((sign, at) => [String.fromCharCode(65 + at), sign]),
);

/**
 * The text of a segment with accents and in brackets: a "translation" that reads, that shows what is translated, and
 * that needs nobody. Marks stay as they are.
 */
export function pseudoLocale(text: string): string {
  const accented = text
    .split(/(<[^>]*>|&\w+;)/)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/[A-Za-z]/g, (sign) => ACCENTS[sign] ?? CAPITALS[sign] ?? sign),
    )
    .join('');
  return `⟦${accented}⟧`;
}
