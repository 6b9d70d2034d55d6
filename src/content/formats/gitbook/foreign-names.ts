import { gitbookSlug, isForeignHeading } from './gitbook-headings.ts';

/** Whether an anchor could be the name of any of the headings. */
export type CouldName = (anchor: string) => boolean;

/** Beyond these limits every name counts as possible. */
const MAX_SHAPES = 60;
const MAX_STEPS = 4_000;

/**
 * Finds the names that GitBook may give to headings in other scripts. It writes Chinese in pinyin (`知识库` is
 * `zhi-shi-ku`), other scripts letter by letter with tables of its own, and omits Korean; Latin text between them is
 * named as usual. In doubt, a name is possible.
 */
export function namesOfForeign(headings: readonly string[]): CouldName {
  const shapes = new Map<string, Shape>();
  const letters = new Set(headings.map(lettersOf));
  for (const heading of headings) {
    const shape = shapeOf(heading);
    shapes.set(JSON.stringify(shape), shape);
    if (shapes.size > MAX_SHAPES) return () => true;
  }
  const isChinese = headings.some((heading) => HAN.test(heading));
  return (anchor) => {
    // GitHub's name for the heading, in its own letters.
    if (isForeignHeading(anchor)) return letters.has(lettersOf(anchor));
    const name = anchor.toLowerCase().replace(/^id-(?=\d)/, '');
    const plain = name.replace(/-\d{1,3}$/, '');
    // The heading may have had other characters when it got its name.
    if (isChinese && plain.length < MAX_STEPS && plain.split('-').every((part) => SYLLABLE.test(part)))
      return true;
    return [...shapes.values()].some(
      (shape) =>
        shape.parts.length * name.length > MAX_STEPS ||
        fits(shape, name) ||
        (plain !== name && fits(shape, plain)),
    );
  };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** What is known of the name of a heading: its pieces, and its greatest number of words (null if unknown). */
interface Shape {
  readonly parts: readonly Part[];
  readonly words: number | null;
}

/** A piece of a heading: text whose name is known, or one letter of another script. */
type Part = { readonly text: string } | { readonly letter: 'han' | 'none' | 'any' };

const FOREIGN = /([^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])/u;
const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;

function shapeOf(heading: string): Shape {
  // Chinese and Japanese have no spaces: each character, or any run of them, may be a word of the name.
  const isSpaced = !HAN.test(heading) && !KANA.test(heading);
  // Characters that become a word count as a word.
  const words = heading
    .replace(/[&|<>…]/g, ' x ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  return { parts: partsOf(heading), words: isSpaced ? words.length : null };
}

function partsOf(heading: string): readonly Part[] {
  // In Japanese the same characters are read differently, or left out.
  const isJapanese = KANA.test(heading);
  return heading.split(FOREIGN).flatMap((piece, at): Part[] => {
    if (at % 2 === 0)
      return [
        {
          text: gitbookSlug(piece)
            .replace(/^id-(?=\d)/, '')
            .replaceAll('-', ''),
        },
      ];
    if (HANGUL.test(piece)) return [{ letter: 'none' }];
    return [{ letter: HAN.test(piece) && !isJapanese ? 'han' : 'any' }];
  });
}

/** Whether the parts in their order form the anchor. Dashes are ignored: their positions have changed over time. */
function fits({ parts, words }: Shape, anchor: string): boolean {
  if (words !== null && anchor.split('-').length > words) return false;
  const name = anchor.replaceAll('-', '');
  let reached: ReadonlySet<number> = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) for (const length of lengthsOf(part, name, at)) next.add(at + length);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(name.length);
}

/** The possible lengths of a part in the name, from `at` on. */
function lengthsOf(part: Part, name: string, at: number): readonly number[] {
  if ('text' in part) return name.startsWith(part.text, at) ? [part.text.length] : [];
  if (part.letter === 'none') return [0];
  const lengths = [0];
  for (let length = 1; length <= 6 && at + length <= name.length; length += 1) {
    if (part.letter === 'any' || SYLLABLE.test(name.slice(at, at + length))) lengths.push(length);
  }
  return lengths;
}

/** A syllable of Chinese in pinyin without tones; it also matches some that no word has. */
const SYLLABLE =
  /^(?:[bpmfdtnlgkhjqxrzcsyw]|[zcs]h)?(?:a|o|e|i|u|v|ai|ei|ui|ao|ou|iu|ie|ue|ve|er|an|en|in|un|vn|ang|eng|ing|ong|ia|iao|ian|iang|iong|ua|uo|uai|uan|uang)$|^(?:m|n|ng|hm|hng)$/;
