/** A video at a provider whose player needs nothing but its address. */
export interface Player {
  readonly provider: string;
  /** Of the player, which starts at once: it is opened by a press. */
  readonly address: string;
}

interface PlayerRule {
  readonly provider: string;
  /** Of the video's page; its first group is the id. */
  readonly page: RegExp;
  readonly address: (id: string) => string;
}

const RULES: readonly PlayerRule[] = [
  {
    provider: 'YouTube',
    page: /^https?:\/\/(?:(?:www|m)\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i,
    // The host that stores nothing in browsers until the video plays.
    address: (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
  },
  {
    provider: 'Vimeo',
    page: /^https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{5,12})(?!\d)/i,
    address: (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
  },
  {
    provider: 'Loom',
    page: /^https?:\/\/(?:www\.)?loom\.com\/(?:share|embed)\/([\da-f]{32})(?![\da-f])/i,
    address: (id) => `https://www.loom.com/embed/${id}?autoplay=1`,
  },
];

/** Where the players of {@link playerOf} are. */
export const PLAYER_ORIGINS = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
] as const;

/** The player of the video to which an address leads; null for all others. */
export function playerOf(href: string): Player | null {
  if (href.length > 500) return null;
  for (const { provider, page, address } of RULES) {
    const id = page.exec(href)?.[1];
    if (id !== undefined) return { provider, address: address(id) };
  }
  return null;
}
