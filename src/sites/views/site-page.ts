import type { OutlineEntry } from '../../content/render/index.ts';
import type { Markup } from '../../markup/index.ts';

/** A page of a site with its frame: everything that its HTML shows. Addresses are absolute paths or whole addresses. */
export interface SitePage {
  readonly frame: SiteFrame;
  readonly page: ShownPage;
}

/** What surrounds every page of a site. */
export interface SiteFrame {
  readonly title: string;
  readonly homeHref: string;
  /** Where the files of `siteAssets` are: a folder, with a slash at its end. */
  readonly assetsHref: string;
  /** A BCP 47 tag: the language of the content, and of the interface where it has a translation. */
  readonly language: string;
  readonly logo: ThemedAddress | null;
  readonly favicon: string | null;
  readonly look: SiteLook;
  /** The sections at the top of each page; empty for a site without sections. */
  readonly sections: readonly SectionLink[];
  /** The versions and languages of the current section; empty where there is only one. */
  readonly variants: readonly VariantLink[];
  /** Where the languages of a space have folders in it; empty where there is only one. */
  readonly languages: readonly VariantLink[];
  readonly navigation: readonly NavigationItem[];
  readonly headerLinks: readonly HeaderLink[];
  readonly footer: {
    readonly groups: readonly { readonly title: string; readonly links: readonly HeaderLink[] }[];
    readonly copyright: string | null;
  };
  readonly announcement: {
    readonly message: string;
    readonly href: string | null;
    readonly style: 'info' | 'warning' | 'danger' | 'success';
  } | null;
  /** The results page; live search calls it, too. */
  readonly searchHref: string;
  /** The site-space from which searches are made. */
  readonly searchFrom: string;
  /** What a bar above the page says, for members: that nobody else sees the site, or that this is a preview. */
  readonly bar: {
    readonly message: string;
    readonly href: string | null;
    readonly label: string;
    /** What a preview changes; null where that is not the point. */
    readonly changes: readonly BarChange[] | null;
  } | null;
  /** Of RSS. */
  readonly feeds: readonly { readonly title: string; readonly href: string }[];
}

/** A page that a preview adds, changes or removes. */
export interface BarChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly title: string;
  /** Null for one that is removed. */
  readonly href: string | null;
}

/** One address for the light theme, and another for the dark one where there is one. */
export interface ThemedAddress {
  readonly light: string;
  readonly dark: string | null;
}

/** What customization changes about the look. Colours are CSS hex colours, checked. */
export interface SiteLook {
  readonly primaryColor: { readonly light: string; readonly dark: string } | null;
  readonly theme: 'system' | 'light' | 'dark';
  readonly canToggleTheme: boolean;
  readonly corners: 'rounded' | 'straight' | 'circular';
  /** The families of text and of code: names of the published client, or of the family itself. */
  readonly font: string;
  readonly monospaceFont: string;
  readonly hasPagination: boolean;
  readonly externalLinksInNewTab: boolean;
}

export interface HeaderLink {
  readonly title: string;
  /** Null for an entry that only opens the links below it. */
  readonly href: string | null;
  readonly style: 'link' | 'button-primary' | 'button-secondary';
  readonly links: readonly HeaderLink[];
}

/** A section, or a group of sections. */
export interface SectionLink {
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  /** Null for a group. */
  readonly href: string | null;
  readonly isCurrent: boolean;
  readonly children: readonly SectionLink[];
}

export interface VariantLink {
  readonly title: string;
  readonly href: string;
  /** A BCP 47 tag; null where the variants do not differ in their language. */
  readonly language: string | null;
  readonly isCurrent: boolean;
  /** Whether the link leads to this very page there, not to the nearest one above it. */
  readonly hasPage: boolean;
}

export interface NavigationItem {
  readonly title: string;
  readonly emoji: string | null;
  /** Null for a heading of the navigation; one with `hasMore` leads to the first page below it instead. */
  readonly href: string | null;
  readonly isExternal: boolean;
  readonly isCurrent: boolean;
  /** Whether the current page is below it. */
  readonly isOpen: boolean;
  /** Empty also where the entries below are left out of a large navigation, which `hasMore` says. */
  readonly items: readonly NavigationItem[];
  readonly hasMore: boolean;
}

export interface SitePageLink {
  readonly title: string;
  readonly href: string | null;
}

/** Where readers say whether a page helped them. */
export interface FeedbackForm {
  readonly href: string;
  readonly spaceId: string;
  readonly pageId: string;
}

/** What readers can do with a page besides reading it. */
export interface PageActions {
  /** Whether it is offered as Markdown, to copy and to view. */
  readonly hasMarkdown: boolean;
  /** Where people read how programs connect to the site; null where that is not offered. */
  readonly mcpHref: string | null;
  /** Documents to print; null where there is none. */
  readonly printHrefs: { readonly section: string | null; readonly site: string | null };
  /** Assistants of others that read the page. */
  readonly assistants: readonly { readonly name: string; readonly href: string }[];
}

export interface ShownPage {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly description: string | null;
  /** The heading of level 1 with which the text begins; null where the title has to be shown. */
  readonly heading: Markup | null;
  /** Whether the heading is a whole hero, as on home pages: then nothing else stands above or beside the text. */
  readonly hasHero: boolean;
  readonly body: Markup;
  readonly outline: readonly OutlineEntry[];
  /** The pages above it, from the top down. */
  readonly trail: readonly SitePageLink[];
  readonly previous: SitePageLink | null;
  readonly next: SitePageLink | null;
  readonly layout: {
    readonly isWide: boolean;
    readonly hasTitle: boolean;
    readonly hasDescription: boolean;
    readonly hasNavigation: boolean;
    readonly hasOutline: boolean;
    readonly hasPagination: boolean;
  };
  /** What a page that shows operations of an API needs besides; null for others. */
  readonly operations: {
    /** Whether something on it is of use only with a script. */
    readonly hasScript: boolean;
    /** To which readers may send requests from it. */
    readonly requestOrigins: readonly string[];
  } | null;
  readonly cover: { readonly image: ThemedAddress; readonly isWide: boolean; readonly alt: string } | null;
  readonly updatedAt: Date | null;
  /** Null where nobody is asked. */
  readonly feedback: FeedbackForm | null;
  /** The source in its repository. */
  readonly editHref: string | null;
  /** What the menu above the text offers; null for a page that is made of others. */
  readonly actions: PageActions | null;
  /** Where the page stands in for its missing translation: the language and the address of what it is; else null. */
  readonly original: { readonly language: string; readonly href: string } | null;
  /** The page as Markdown; null for one that is made of others, such as search results. */
  readonly markdownHref: string | null;
  /** The whole address under which search engines shall know the page. */
  readonly canonical: string;
  /** The same page in the other languages. */
  readonly alternates: readonly { readonly language: string; readonly href: string }[];
  readonly isIndexed: boolean;
  /** The whole address of the picture that social networks show. */
  readonly socialImage: string | null;
  /** JSON-LD, serialized. */
  readonly structuredData: string | null;
}

/** What the live search in `site.js` reads: the answer of `SiteFrame.searchHref` to requests for JSON. */
export interface SearchAnswer {
  readonly results: readonly SiteSearchResult[];
  /** The query to which the results belong, where the one that was asked is misspelt; null where it is not. */
  readonly corrected: string | null;
  /** One sentence about them; empty without a query. */
  readonly said: string;
  /** To choose among; empty where all would find the same. */
  readonly scopes: readonly ShownScope[];
  /** Where a model answers the query as a question, and the module that asks it; null where none does. */
  readonly ask: {
    readonly href: string;
    readonly script: string;
    /** Of the button, and of the answer. */
    readonly label: string;
    readonly answerLabel: string;
  } | null;
}

/** What `ask.js` reads: all of an answer so far. */
export interface ShownAnswer {
  readonly said: string;
  /** Of a model, with places in `results`; none where it is the results that answer. */
  readonly sentences: readonly ShownSentence[];
  readonly results: readonly SiteSearchResult[];
}

export interface ShownSentence {
  readonly text: string;
  readonly cites: readonly number[];
}

/** How far a search may reach; `name` is the value of `scope` in its address. */
export interface ShownScope {
  readonly name: string;
  readonly label: string;
  readonly isChosen: boolean;
}

export interface SiteSearchResult {
  readonly title: string;
  readonly href: string;
  /** The titles of what is above it, from the top down. */
  readonly trail: readonly string[];
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}
