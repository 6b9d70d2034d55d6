import { html } from '../../markup/index.ts';
import { renderPlainPage } from './render-plain-page.ts';
import { wordsFor } from './words/index.ts';

export interface ShownRefusal {
  /** A BCP 47 tag: that of the reader, since nothing is said about the site. */
  readonly language: string;
  /** See {@link SiteFrame.assetsHref}. */
  readonly assetsHref: string;
  /** Why a site does not open, in English; null where there is nothing. */
  readonly reason: string | null;
  /** Where members sign in to read what is not published; null where they are signed in already or not at all. */
  readonly signInHref: string | null;
}

/** What people see where there is no site for them. It names none: nobody learns from it which sites there are. */
export function renderRefusal({ language, assetsHref, reason, signInHref }: ShownRefusal): string {
  const words = wordsFor(language);
  return renderPlainPage({
    language,
    assetsHref,
    title: reason === null ? words.notFound : words.refused,
    body:
      reason === null
        ? html`<p>${words.notFoundText}</p>${signInHref === null ? null : html`\n<p><a href="${signInHref}" rel="nofollow">${words.signIn}</a></p>`}`
        : html`<p lang="en" dir="ltr">${reason}</p>`,
    canonical: null,
  });
}
