/** Words that say nothing about what a text is about: English function words, and what every question has. */
const STOP_WORDS = new Set(
  `a about above after again all also although always am an and any anybody anyone anything are aren as ask at
  be because been before being below best between both but by
  can cannot cant come could couldn currently
  did didn do does doesn doing don done dont down during
  each either else even ever every everything
  few find first for from further
  get gets getting give go goes going got
  had has hasn have haven having he hello help her here hers hey hi him his how however
  i id if im in instead into is isn issue it its itself ive
  just keep know
  last latest let like ll look looking lot
  make makes making many may maybe me might more most much must my myself
  need needed needs never new no nor not nothing now
  of off ok on once one only or other our out over own
  please possible problem
  question quite
  rather re really regards
  s same see seem seems several shall she should show shows since so some somebody someone something still such
  t thank thanks than that the their them then there these they thing things think this those though through to too
  try trying tried two
  under until up us use used user users uses using
  ve very
  want wanted wants was wasn way we well were what when where whether which while who whom whose why will with within
  without won work working works would
  yes yet you your`.split(/\s+/),
);

// Scripts without spaces between words are read by pairs of characters.
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}\p{M}]+/gu;

const MAX_TERMS = 200;

/** A term of a text: the stem that it is compared by, and the word as it stands there. */
export interface Term {
  readonly stem: string;
  readonly word: string;
  /** Whether it is a part of the term before it. */
  readonly isPart: boolean;
}

/** What a text is about: its words without those that all texts have, in order. */
export function readTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(WORDS)) {
    if (terms.length >= MAX_TERMS) break;
    if (UNSPACED.test(word)) {
      const characters = [...word];
      for (let at = 0; at + 1 < characters.length; at++) {
        const pair = `${characters[at]}${characters[at + 1]}`;
        terms.push({ stem: pair, word: pair, isPart: false });
      }
      continue;
    }
    if (word.length > 40) continue;
    for (const part of [word, ...partsOf(word)]) {
      const lower = part.toLowerCase();
      if (STOP_WORDS.has(lower) || /^\d+$/.test(part) || lower.length < 2) continue;
      if (/^(?:email|token|card|phone)$/.test(lower) && text.includes(`[${word}]`)) continue;
      terms.push({ stem: stemOf(lower), word: part, isPart: part !== word });
    }
  }
  return terms;
}

/** The words in a name such as `keepAlive`, which others write `keep-alive` or “keep alive”; none in a plain word. */
function partsOf(word: string): readonly string[] {
  const parts = word.match(/\p{Lu}?\p{Ll}{2,}/gu) ?? [];
  return parts.length > 1 ? parts : [];
}

/** Plurals and the commonest endings of English verbs; what is no English word seldom has them. */
function stemOf(word: string): string {
  let stem = word;
  if (/[^aeiou]ies$/.test(stem) && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh|zz)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^su]s$/.test(stem) && stem.length > 3) stem = stem.slice(0, -1);
  const ending = /(?:ing|ed)$/.exec(stem)?.[0] ?? '';
  if (ending !== '' && stem.length - ending.length >= 4) {
    stem = stem.slice(0, -ending.length);
    if (/([bdfgmnprt])\1$/.test(stem)) stem = stem.slice(0, -1);
  }
  return stem.length > 4 ? stem.replace(/e$/, '') : stem;
}
