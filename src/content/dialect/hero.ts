/** What a home page begins with, from its front matter. Texts may have HTML in them; addresses are as written. */
export interface Hero {
  readonly title: string;
  readonly lead: string | null;
  readonly tagline: string | null;
  readonly image: HeroImage | null;
  readonly actions: readonly HeroAction[];
  readonly features: readonly HeroFeature[];
}

export interface HeroImage {
  readonly light: string;
  /** The same for the dark theme, where that is another one. */
  readonly dark: string | null;
  readonly alt: string;
}

export interface HeroAction {
  readonly words: string;
  readonly href: string;
  readonly isPrimary: boolean;
}

/** One of the things that the page advertises. */
export interface HeroFeature {
  readonly title: string;
  /** An emoji. */
  readonly icon: string | null;
  readonly details: string | null;
  readonly href: string | null;
}
