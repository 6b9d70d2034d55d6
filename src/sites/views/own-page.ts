import type { ShownPage } from './site-page.ts';

type Said = Pick<ShownPage, 'title' | 'body' | 'canonical'> &
  Partial<Omit<ShownPage, 'layout'>> & { readonly layout?: Partial<ShownPage['layout']> };

/** A page that is in no space and that search engines are not to know, such as results: it has only what is said of it. */
export function ownPage({ layout, ...said }: Said): ShownPage {
  return {
    id: '',
    emoji: null,
    description: null,
    heading: null,
    hasHero: false,
    outline: [],
    trail: [],
    previous: null,
    next: null,
    operations: null,
    cover: null,
    updatedAt: null,
    feedback: null,
    editHref: null,
    actions: null,
    markdownHref: null,
    original: null,
    alternates: [],
    isIndexed: false,
    socialImage: null,
    structuredData: null,
    ...said,
    layout: {
      isWide: false,
      hasTitle: true,
      hasDescription: (said.description ?? null) !== null,
      hasNavigation: true,
      hasOutline: true,
      hasPagination: false,
      ...layout,
    },
  };
}
