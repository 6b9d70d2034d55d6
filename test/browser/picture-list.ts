/** The pictures of the docs, each in light and in dark: what they show, and their size in CSS pixels. */
export const PICTURES = [
  'site',
  'report',
  'status',
  'setup',
  'editor',
  'review',
  'conversations',
  'translations',
] as const;
export type PictureName = (typeof PICTURES)[number];

export const PICTURE_SIZE = { width: 1200, height: 750 } as const;

/** Of a file, in bytes. */
export const MAX_PICTURE = 60_000;

export const SCHEMES = ['light', 'dark'] as const;

/** Of a picture in its folder. */
export function pictureFile(name: string, scheme: (typeof SCHEMES)[number]): string {
  return `${name}-${scheme}.webp`;
}
