import type { LookField, LookProblems } from './entered-look.ts';

/** The labels of the fields of a look that can be refused. */
export const lookLabels: Readonly<Record<LookField, string>> = {
  title: 'Name in the header',
  light: 'Color in the light theme',
  dark: 'Color in the dark theme',
  logo: 'Logo',
  logoDark: 'Logo in the dark theme',
  icon: 'Icon of browser tabs',
  links: 'Links in the header',
  message: 'Announcement',
  messageLink: 'Link of the announcement',
  groups: 'Links in the footer',
  copyright: 'Text in the footer',
  socialPicture: 'Picture for social networks',
};

/** What a sample says instead of showing what cannot be used. */
export function describeLookProblems(problems: LookProblems): string {
  const each = [...problems].map(([field, sentence]) =>
    field === null ? sentence : `${lookLabels[field]}: ${sentence}`,
  );
  return `This is the saved look, because what you entered cannot be used. ${each.join(' ')}`;
}

/** How far a color is below WCAG AA, and what sites do about it. */
export function describeWeakColors(
  { contrast, readable }: { readonly contrast: number; readonly readable: string },
  theme: 'light' | 'dark',
): string {
  // Rounded down: 4.49 is not 4.5.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  const change = theme === 'light' ? 'darker' : 'lighter';
  return `The contrast of this color with the ${theme} background is ${shown}:1; text needs 4.5:1 (WCAG AA). The site therefore writes links in ${readable}, the same color made ${change}, and keeps yours where it fills buttons.`;
}
