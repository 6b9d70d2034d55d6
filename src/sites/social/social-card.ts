import { createHash } from 'node:crypto';
import { html, type Markup } from '../../markup/index.ts';
import { parseHexColor, readableOn, toHexColor } from '../views/colors.ts';
import { directionOf } from '../views/direction.ts';

/** What the picture of a page says, which social networks show beside a link to it. */
export interface SocialCard {
  readonly siteTitle: string;
  readonly title: string;
  readonly description: string | null;
  /** A CSS hex colour: that of the site's links. */
  readonly color: string;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** The scripts of the font; CJK fonts have tens of MB. */
const COVERED =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Whether the font has the letters of a picture. */
export function canDraw({ siteTitle, title, description }: SocialCard): boolean {
  return COVERED.test(`${siteTitle}${title}${description ?? ''}`);
}

/** In pixels, as networks show it whole. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

const MARGIN = 80;
const TEXT_WIDTH = CARD_SIZE.width - 2 * MARGIN;

const TITLE = { size: 68, lineHeight: 84, maxLines: 3 };
const DESCRIPTION = { size: 32, lineHeight: 46, maxLines: 3 };

/** Names everything that a picture shows; bumped with its design. */
export function cardDigest(card: SocialCard): string {
  return createHash('sha256')
    .update(JSON.stringify([1, card]))
    .digest('base64url')
    .slice(0, 12);
}

export function cardSvg({ siteTitle, title, description, color, language }: SocialCard): string {
  const { width, height } = CARD_SIZE;
  const accent = toHexColor(readableOn(parseHexColor(color) ?? [0, 0, 0], [[255, 255, 255]], [0, 0, 0]));
  const isRtl = directionOf(language) === 'rtl';
  const place = html`x="${isRtl ? width - MARGIN : MARGIN}" text-anchor="${isRtl ? 'end' : 'start'}"`;
  const titleLines = wrapText(title, TEXT_WIDTH / TITLE.size, TITLE.maxLines);
  const descriptionAt = 270 + titleLines.length * TITLE.lineHeight;
  const left = Math.floor((height - 30 - descriptionAt) / DESCRIPTION.lineHeight);
  const descriptionLines = wrapText(
    description ?? '',
    TEXT_WIDTH / DESCRIPTION.size,
    Math.min(DESCRIPTION.maxLines, left),
  );
  const line = (text: string, y: number, look: Markup) =>
    html`<text ${place} y="${y}" ${look}>${text}</text>\n`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans" xml:lang="${language}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<rect width="${width}" height="18" fill="${color}"/>
${line(wrapText(siteTitle, TEXT_WIDTH / 36, 1)[0] ?? '', 140, html`font-size="36" font-weight="bold" fill="${accent}"`)}
${titleLines.map((text, at) => line(text, 260 + at * TITLE.lineHeight, html`font-size="${TITLE.size}" font-weight="bold" fill="#1c2027"`))}
${descriptionLines.map((text, at) => line(text, descriptionAt + at * DESCRIPTION.lineHeight, html`font-size="${DESCRIPTION.size}" fill="#545b68"`))}
</svg>`.text;
}

/** @param width of a line, in the size of its letters */
export function wrapText(text: string, width: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of partsOf(text, width)) {
    const length = widthOf(word);
    if (line !== '' && used + length > width) {
      if (lines.length + 1 >= maxLines) {
        lines.push(`${line.trimEnd()}…`);
        return lines.slice(0, maxLines);
      }
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    line += word;
    used += length;
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  return lines.slice(0, maxLines);
}

/** Longer texts fill every picture. In characters. */
const MAX_TEXT = 400;

/** What a line may be broken behind: words with their space, and pieces of what is too long. */
function partsOf(text: string, width: number): readonly string[] {
  // Nothing else may be in XML.
  const clean = text
    .toWellFormed()
    .slice(0, MAX_TEXT)
    .toWellFormed()
    // The font has no emoji.
    .replace(/\p{Emoji_Presentation}|\u200d|\ufe0f/gu, '')
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff\s]+/gu, ' ')
    .trim();
  return (clean.match(/\S+\s*/g) ?? []).flatMap((word) =>
    widthOf(word) <= width ? [word] : (word.match(/.{1,10}/gsu) ?? []),
  );
}

/** About how wide a text in bold letters is, in their size. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (/[ijlI.,:;'|!()[\] ]/.test(character)) return 0.4;
  return /[mwMW@%]|\p{Lu}/u.test(character) ? 0.85 : 0.68;
}
