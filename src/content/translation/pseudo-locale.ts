const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýž'].map((letter, at) => [String.fromCharCode(97 + at), letter]),
);
const CAPITALS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'ÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ'].map((letter, at) => [String.fromCharCode(65 + at), letter]),
);

/**
 * Returns the text of a segment with accents and in brackets: a "translation" that is readable, shows what is
 * translated, and needs no service. Placeholders are not changed.
 */
export function pseudoLocale(text: string): string {
  const accented = text
    .split(/(<[^>]*>|&\w+;)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/[A-Za-z]/g, (letter) => ACCENTS[letter] ?? CAPITALS[letter] ?? letter),
    )
    .join('');
  return `⟦${accented}⟧`;
}
