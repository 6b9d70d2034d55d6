import { html, type Markup } from '../../../src/markup/index.ts';
import type {
  HeaderLink,
  NavigationItem,
  SectionLink,
  ShownPage,
  SiteFrame,
} from '../../../src/sites/views/site-page.ts';

export function navigationItem(title: string, values: Partial<NavigationItem> = {}): NavigationItem {
  return {
    title,
    emoji: null,
    href: `/docs/${title.toLowerCase().replaceAll(' ', '-')}`,
    isExternal: false,
    isCurrent: false,
    isOpen: false,
    items: [],
    hasMore: false,
    ...values,
  };
}

export function headerLink(title: string, values: Partial<HeaderLink> = {}): HeaderLink {
  return { title, href: '/docs/linked', style: 'link', links: [], ...values };
}

export function sectionLink(title: string, values: Partial<SectionLink> = {}): SectionLink {
  return {
    title,
    description: null,
    icon: null,
    href: `/docs/${title.toLowerCase()}`,
    isCurrent: false,
    children: [],
    ...values,
  };
}

/** A frame with everything that a frame can have. */
export function sampleFrame(values: Partial<SiteFrame> = {}): SiteFrame {
  return {
    title: 'Lantern',
    homeHref: '/docs/',
    assetsHref: '/docs/~assets/',
    language: 'en',
    logo: null,
    favicon: null,
    look: {
      primaryColor: null,
      theme: 'system',
      canToggleTheme: true,
      corners: 'rounded',
      font: 'Inter',
      monospaceFont: 'JetBrainsMono',
      hasPagination: true,
      externalLinksInNewTab: false,
    },
    sections: [
      sectionLink('Guide', { isCurrent: true }),
      sectionLink('More', {
        href: null,
        children: [sectionLink('Reference', { description: 'Every option' }), sectionLink('Recipes')],
      }),
    ],
    variants: [
      { title: 'v2', href: '/docs/', language: null, isCurrent: true, hasPage: true },
      { title: 'v1', href: '/docs/v1/', language: null, isCurrent: false, hasPage: false },
    ],
    languages: [],
    navigation: [
      navigationItem('Welcome', { emoji: '👋' }),
      navigationItem('Basics', {
        href: null,
        items: [
          navigationItem('Watching files', {
            isOpen: true,
            items: [
              navigationItem('Patterns', { isCurrent: true }),
              navigationItem('Deeper', { href: null, items: [navigationItem('Deepest')] }),
            ],
          }),
          navigationItem('Alerts', { hasMore: true }),
        ],
      }),
      navigationItem('Source', { href: 'https://git.example/lantern', isExternal: true }),
    ],
    headerLinks: [
      headerLink('Blog'),
      headerLink('Community', { href: null, links: [headerLink('Forum')] }),
      headerLink('Download', { style: 'button-primary' }),
    ],
    footer: {
      groups: [{ title: 'Product', links: [headerLink('Releases'), headerLink('Roadmap')] }],
      copyright: '© Lantern contributors',
    },
    announcement: { message: 'Lantern 2 is here.', href: '/docs/news', style: 'info' },
    searchHref: '/docs/search',
    searchFrom: 'here',
    bar: {
      message: 'Only members see this site.',
      href: '/sites/lantern',
      label: 'Publish it',
      changes: null,
    },
    feeds: [{ title: 'News', href: '/docs/news.xml' }],
    ...values,
  };
}

/** A page with everything that a page can have. */
export function samplePage(values: Partial<ShownPage> = {}): ShownPage {
  return {
    id: 'patterns',
    title: 'Patterns',
    emoji: '🔦',
    description: 'Which files are watched.',
    heading: null,
    hasHero: false,
    body: paragraph('Some words.'),
    outline: [
      { id: 'patterns', text: 'Patterns', level: 1 },
      { id: 'globs', text: 'Globs', level: 2 },
      { id: 'braces', text: 'Braces', level: 3 },
      { id: 'too-deep', text: 'Too deep', level: 4 },
      { id: 'regular-expressions', text: 'Regular expressions', level: 2 },
    ],
    trail: [
      { title: 'Basics', href: null },
      { title: 'Watching files', href: '/docs/watching-files' },
    ],
    previous: { title: 'Watching files', href: '/docs/watching-files' },
    next: { title: 'Deepest', href: '/docs/deepest' },
    layout: {
      isWide: false,
      hasTitle: true,
      hasDescription: true,
      hasNavigation: true,
      hasOutline: true,
      hasPagination: true,
    },
    operations: null,
    cover: null,
    updatedAt: new Date('2026-03-04T23:30:00Z'),
    editHref: 'https://git.example/lantern/edit/main/patterns.md',
    feedback: { href: '/docs/~/feedback', spaceId: 'space', pageId: 'page' },
    actions: {
      hasMarkdown: true,
      mcpHref: '/docs/~/mcp',
      printHrefs: { section: '/docs/~/print/space', site: '/docs/~/print/site' },
      assistants: [{ name: 'Oracle', href: 'https://oracle.example/?q=Read' }],
    },
    markdownHref: '/docs/patterns.md',
    original: null,
    canonical: 'https://lantern.example/docs/patterns',
    alternates: [{ language: 'de', href: 'https://lantern.example/docs/de/patterns' }],
    isIndexed: true,
    socialImage: 'https://lantern.example/docs/~social/patterns.png',
    structuredData: '{"@type":"BreadcrumbList","name":"</script><script>alert(1)</script>"}',
    ...values,
  };
}

function paragraph(words: string): Markup {
  return html`<p>${words}</p>`;
}
