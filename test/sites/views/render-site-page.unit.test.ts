import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { sanitised } from '../../../src/markup/index.ts';
import { policyFor } from '../../../src/sites/security-headers.ts';
import { renderSitePage } from '../../../src/sites/views/render-site-page.ts';
import { RESERVED_IDS } from '../../../src/sites/views/reserved-ids.ts';
import type { SitePage } from '../../../src/sites/views/site-page.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { navigationItem, sampleFrame, samplePage, sectionLink } from './sample-page.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** All elements of a page, in their order. */
function elementsOf(page: SitePage): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode) => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(parse(renderSitePage(page)));
  return found;
}

function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.attrs.find((attr) => attr.name === name)?.value;
}

function find(elements: readonly Element[], test: (element: Element) => boolean): Element {
  const found = elements.find(test);
  if (found === undefined) throw new Error('There is no such element.');
  return found;
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

const sample: SitePage = { frame: sampleFrame(), page: samplePage() };

describe('a page of a site', () => {
  test('has one labelled landmark for each purpose', () => {
    const landmarks = elementsOf(sample).filter(
      ({ tagName, parentNode }) =>
        ['nav', 'aside', 'main'].includes(tagName) ||
        (['header', 'footer'].includes(tagName) && (parentNode as Element | null)?.tagName === 'body'),
    );
    expect(
      landmarks.map((element) => `${element.tagName} ${attribute(element, 'aria-label') ?? ''}`.trim()),
    ).toEqual([
      'aside Notice',
      'aside Announcement',
      'header',
      'nav Version',
      'nav Links',
      'nav Sections',
      'nav Pages',
      'main',
      'nav Breadcrumbs',
      'nav On this page',
      'nav Previous and next page',
      'footer',
      'nav More links',
    ]);
  });

  test('has one heading of level 1, and only ids of its own', () => {
    const elements = elementsOf(sample);
    expect(elements.filter(({ tagName }) => tagName === 'h1').map(textOf)).toEqual(['Patterns']);
    const ids = elements.flatMap((element) => attribute(element, 'id') ?? []);
    expect(ids.filter((id) => !id.startsWith(RESERVED_IDS))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const element of elements) {
      const target = attribute(element, 'popovertarget');
      if (target !== undefined) expect(ids).toContain(target);
    }
  });

  test('runs no script and no style that a strict policy refuses', () => {
    const { 'content-security-policy': policy = '' } = policyFor(renderSitePage(sample));
    const isAllowed = (directive: string, element: Element) => {
      const digest = createHash('sha256').update(element.childNodes.map(textOf).join('')).digest('base64');
      return new RegExp(`${directive} [^;]*'sha256-([^']+)'`).exec(policy)?.[1] === digest;
    };
    for (const element of elementsOf(sample)) {
      for (const { name } of element.attrs) expect(name).not.toMatch(/^(?:on|style$)/);
      if (element.tagName === 'style') expect(isAllowed('style-src', element)).toBe(true);
      if (element.tagName !== 'script') continue;
      const isData = attribute(element, 'type') === 'application/ld+json';
      const isOwn = attribute(element, 'src')?.startsWith('/docs/~assets/') === true;
      expect(isData || isOwn || isAllowed('script-src', element)).toBe(true);
    }
  });

  test('allows only what it has in its head, not what others wrote', () => {
    const written = '<style>p{}</style><script>alert(1)</script>';
    const page = samplePage({ title: written, description: written, body: sanitised(written) });
    const policies = [page, samplePage()].map((one) => policyFor(renderSitePage({ ...sample, page: one })));
    expect(policies[0]).toEqual(policies[1]);
    expect(policies[0]?.['content-security-policy']?.match(/sha256/g)).toHaveLength(2);
  });

  test('describes itself to search engines and programs', () => {
    const elements = elementsOf(sample);
    const links = elements
      .filter(({ tagName }) => tagName === 'link')
      .map((link) =>
        [attribute(link, 'rel'), attribute(link, 'hreflang'), attribute(link, 'href')].join(' '),
      );
    expect(links).toContain('canonical  https://lantern.example/docs/patterns');
    expect(links).toContain('alternate de https://lantern.example/docs/de/patterns');
    expect(links).toContain('alternate  /docs/patterns.md');
    expect(links).toContain('alternate  /docs/news.xml');
    const data = find(elements, (element) => attribute(element, 'type') === 'application/ld+json');
    expect(JSON.parse(textOf(data))).toEqual({
      '@type': 'BreadcrumbList',
      name: '</script><script>alert(1)</script>',
    });
    expect(renderSitePage(sample)).not.toContain('noindex');
    expect(renderSitePage({ ...sample, page: samplePage({ isIndexed: false }) })).toContain('noindex');
  });

  test('unfolds the navigation on the way to the page, and nothing else', () => {
    const folds = elementsOf(sample).filter(
      (element) => element.tagName === 'details' && (element.parentNode as Element).tagName === 'li',
    );
    const inTree = folds.filter((element) => attribute(element, 'class') === undefined);
    expect(inTree.map((element) => attribute(element, 'open') !== undefined)).toEqual([true, false]);
    expect(attribute(find(inTree[0]?.childNodes as Element[], Boolean), 'aria-label')).toBe(
      'Pages under Watching files',
    );
  });

  test('lists the headings of two levels', () => {
    const outline = find(elementsOf(sample), (element) => attribute(element, 'class') === 'outline');
    expect(textOf(outline).replace(/\s+/g, ' ')).toBe('On this page GlobsBracesRegular expressions');
    const short = samplePage({ outline: [{ id: 'globs', text: 'Globs', level: 2 }] });
    expect(renderSitePage({ ...sample, page: short })).not.toContain('class="outline"');
  });

  test.each([
    ['en', 'ltr', 'Last updated: March 4, 2026'],
    ['de', 'ltr', 'Zuletzt aktualisiert: 4. März 2026'],
    ['ar', 'rtl', 'آخر تحديث: 4 مارس 2026'],
    ['ja', 'ltr', '最終更新: 2026年3月4日'],
    ['no language', 'ltr', 'Last updated: March 4, 2026'],
  ])('speaks %s', (language, direction, updated) => {
    const elements = elementsOf({ ...sample, frame: sampleFrame({ language }) });
    expect(attribute(elements[0], 'dir')).toBe(direction);
    expect(attribute(elements[0], 'lang')).toBe(language);
    expect(textOf(find(elements, (element) => attribute(element, 'class') === 'facts'))).toContain(updated);
  });

  test('names the switch by what the variants differ in', () => {
    const variant = { href: '/docs/', isCurrent: false, hasPage: true };
    const frame = sampleFrame({
      variants: [
        { ...variant, title: 'English', language: 'en', isCurrent: true },
        { ...variant, title: 'Deutsch', language: 'de' },
      ],
    });
    const elements = elementsOf({ ...sample, frame });
    expect(elements.some((element) => attribute(element, 'aria-label') === 'Language')).toBe(true);
    expect(
      attribute(
        find(elements, (element) => textOf(element) === 'Deutsch' && element.tagName === 'a'),
        'lang',
      ),
    ).toBe('de');
  });

  test('has a switch for versions beside one for the languages in a space', () => {
    const language = { href: '/docs/', isCurrent: false, hasPage: true };
    const languages = [
      { ...language, title: 'English', language: 'en', isCurrent: true },
      { ...language, title: 'Deutsch', language: 'de', href: '/docs/de' },
    ];
    const elements = elementsOf({ ...sample, frame: sampleFrame({ languages }) });
    const switches = elements.filter((element) => attribute(element, 'class') === 'variants');
    expect(switches.map((element) => attribute(element, 'aria-label'))).toEqual(['Version', 'Language']);
  });

  test('says where the page is missing in another variant', () => {
    expect(renderSitePage(sample)).toContain('v1<small>Not available there</small>');
  });

  test('leaves out what a site or a page does not have', () => {
    const frame = sampleFrame({
      sections: [],
      variants: [],
      navigation: [],
      headerLinks: [],
      footer: { groups: [], copyright: null },
      announcement: null,
      bar: null,
      feeds: [],
    });
    const page = samplePage({
      emoji: null,
      description: null,
      outline: [],
      trail: [],
      previous: null,
      next: null,
      updatedAt: null,
      editHref: null,
      socialImage: null,
      structuredData: null,
    });
    const elements = elementsOf({ frame, page });
    expect(elements.filter(({ tagName }) => ['nav', 'aside', 'footer'].includes(tagName))).toHaveLength(1);
    expect(elements.some((element) => attribute(element, 'popovertarget') !== undefined)).toBe(false);
  });

  test('keeps the chosen theme where nobody may switch', () => {
    const look = { ...sample.frame.look, theme: 'dark', canToggleTheme: false } as const;
    const elements = elementsOf({ ...sample, frame: sampleFrame({ look }) });
    expect(attribute(elements[0], 'data-theme')).toBe('dark');
    expect(attribute(elements[0], 'data-fixed')).toBe('');
    expect(elements.some((element) => attribute(element, 'class')?.includes('theme-button'))).toBe(false);
  });
});

describe('whatever titles and addresses are', () => {
  /** Replaces every text and every address of a model. */
  function poison<T>(value: T, words: string, href: string): T {
    if (Array.isArray(value)) return value.map((item) => poison(item, words, href)) as T;
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if ('text' in value && value.constructor !== Object) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isAddress = /href$|^(?:canonical|favicon|light|dark|socialImage)$/i.test(key);
        if (typeof inner !== 'string') return [key, poison(inner, words, href)];
        if (/^(?:assetsHref|language|style|theme|corners|structuredData)$/.test(key)) return [key, inner];
        return [key, isAddress ? href : words];
      }),
    ) as T;
  }
  const shape = (page: SitePage) => elementsOf(page).map(({ tagName }) => tagName);
  const words = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onload='x",
      '</title><img src=x onerror=x>',
      '<!--',
      '{count}$&',
    ),
  );

  test('words stay text', () => {
    const expected = shape(poison(sample, 'Words', '/docs/'));
    fc.assert(
      fc.property(words, (text) => {
        expect(shape(poison(sample, `a${text}`, '/docs/'))).toEqual(expected);
      }),
      propertyRuns(100),
    );
  });

  test('addresses lead to pages, or nowhere', () => {
    const addresses = fc.oneof(
      words,
      fc.webUrl(),
      fc.constantFrom(
        'javascript:alert(1)',
        'JAVASCRIPT:x',
        'data:text/html,x',
        '//evil.example',
        '/\\evil.example',
        ' /x',
      ),
    );
    fc.assert(
      fc.property(addresses, (href) => {
        for (const element of elementsOf(poison(sample, 'Words', href))) {
          for (const { name, value } of element.attrs) {
            expect(name).not.toMatch(/^on/);
            if (!['href', 'src', 'action'].includes(name)) continue;
            expect(value).toMatch(/^(?:$|#|https?:|mailto:|\/(?![/\\]))/i);
          }
        }
      }),
      propertyRuns(100),
    );
  });
});

test('an entry of the navigation without an address that browsers follow is text', () => {
  const frame = sampleFrame({
    sections: [sectionLink('Odd', { href: 'javascript:x' })],
    navigation: [navigationItem('Odd', { href: 'vbscript:x' })],
  });
  expect(renderSitePage({ ...sample, frame })).not.toContain('script:x');
});
