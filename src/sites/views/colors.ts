/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Reads a CSS hex colour of 3, 4, 6 or 8 digits, without its transparency; null for anything else. */
export function parseHexColor(text: string): Rgb | null {
  const digits = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(text)?.[1];
  if (digits === undefined) return null;
  const width = digits.length < 6 ? 1 : 2;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((at) => {
    const part = digits.slice(at * width, (at + 1) * width);
    return Number.parseInt(width === 1 ? part + part : part, 16);
  });
  return [red, green, blue];
}

export function toHexColor(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** `share` of the first colour, the rest of the second. */
export function mixColors(first: Rgb, second: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(first[index] * share + second[index] * (1 - share));
  return [at(0), at(1), at(2)];
}

/** The contrast of two colours as WCAG 2 defines it, from 1 to 21. */
export function contrastOf(first: Rgb, second: Rgb): number {
  const [light, dark] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour nearest to `color`, on the way to `pole`, that can be read on all of `grounds`. */
export function readableOn(color: Rgb, grounds: readonly Rgb[], pole: Rgb): Rgb {
  for (let share = 1; share > 0; share -= 0.02) {
    const candidate = mixColors(color, pole, share);
    if (grounds.every((ground) => contrastOf(candidate, ground) >= READABLE)) return candidate;
  }
  return pole;
}

/** WCAG 2.2 AA asks 4.5 of text. */
export const READABLE = 4.5;

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
