import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';
import { renderPageParts } from '../../src/content/render/index.ts';
import { sanitised } from '../../src/markup/index.ts';
import { policyFor, siteSecurityHeaders } from '../../src/sites/security-headers.ts';
import { renderPrint } from '../../src/sites/views/render-print.ts';
import { renderRefusal } from '../../src/sites/views/render-refusal.ts';
import { renderSitePage } from '../../src/sites/views/render-site-page.ts';
import { renderFoundOnSite } from '../../src/sites/views/search-results.ts';
import { findSiteAsset, siteAssets } from '../../src/sites/views/site-assets.ts';
import type { SearchAnswer, ShownAnswer, SiteLook } from '../../src/sites/views/site-page.ts';
import { siteStyles } from '../../src/sites/views/site-styles.ts';
import { wordsFor } from '../../src/sites/views/words/index.ts';
import { sampleFrame, samplePage } from '../sites/views/sample-page.ts';
import { type RenderedBlocks, renderBlocks } from './block-gallery.ts';

export interface SiteServer {
  /** Of the page with all blocks; `?lang=` sets the language. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a site of one page with every kind of block and a frame with every part, with the headers that sites have. */
export async function startSiteServer(picture: string): Promise<SiteServer> {
  const blocks = await renderBlocks(picture, { isForSite: true });
  const [diagrams, hero] = await Promise.all([
    renderWritten(DIAGRAMS, '', picture),
    renderWritten(HERO, 'vitepress', picture),
  ]);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sites.test');
    const send = (type: string, body: string | Buffer, headers = {}) => {
      response.writeHead(200, { ...siteSecurityHeaders, ...headers, 'content-type': type }).end(body);
    };
    const language = searchParams.get('lang') ?? 'en';
    const sendPage = (text: string) => send('text/html; charset=utf-8', text, policyFor(text));
    const asset = findSiteAsset(pathname.replace('/docs/~assets/', ''));
    if (asset !== undefined) return send(asset.contentType, asset.body, asset.headers);
    if (pathname === '/docs/~assets/look.css') return send('text/css', siteStyles(ownLook()));
    if (pathname.endsWith('.md')) return send('text/markdown; charset=utf-8', '# Patterns\n');
    if (pathname === '/docs/search' && request.headers.accept === 'application/json')
      return send(
        'application/json',
        JSON.stringify(search(searchParams.get('q') ?? '', searchParams.get('scope') ?? '')),
      );
    if (pathname === '/docs/ask') return answer(request, response);
    if (pathname === '/docs/answer') return sendPage(answerPage());
    if (pathname === '/docs/refused') return send('text/html; charset=utf-8', refusal(language));
    if (pathname === '/docs/diagrams') return sendPage(renderPage(diagrams, language));
    if (pathname === '/docs/hero') return sendPage(renderPage(hero, language));
    if (pathname === '/docs/print') return sendPage(print(blocks));
    return sendPage(renderPage(blocks, language));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/docs/patterns`, close: () => closeServer(server) };
}

const DIAGRAMS = `
\`\`\`mermaid
graph TD; A[Push] -->|yes| B{Docs?}
\`\`\`

\`\`\`mermaid
sequenceDiagram
  accTitle: Who asks whom
  Reader->>Site: page?
\`\`\`

\`\`\`mermaid
no diagram
\`\`\`
`;

const HERO = `---
layout: home
hero:
  name: Lantern
  text: Light for your docs
  tagline: Watches files and <em>says</em> what changed.
  image: { light: a.svg, dark: b.svg, alt: A lantern }
  actions:
    - { theme: brand, text: Get started, link: /start }
    - { theme: alt, text: Source, link: https://git.example }
features:
  - { icon: ⚡, title: Fast, details: In an instant., link: /fast }
  - { icon: 🔦, title: Bright, details: Finds everything. }
  - { title: Small, details: In one file. }
---

More about it.
`;

interface WrittenPage extends RenderedBlocks {
  readonly heading?: string | null;
  readonly hasHero?: boolean;
}

async function renderWritten(markdown: string, dialect: string, picture: string): Promise<WrittenPage> {
  const { title, ...page } = await renderPageParts(markdown, {
    dialect,
    isForSite: true,
    resolveLink: () => '/',
    resolveImage: () => picture,
  });
  return { ...page, heading: title };
}

function renderPage(
  { body, outline, heading = null, hasHero = false }: WrittenPage,
  language: string,
): string {
  const page = samplePage({ body: sanitised(body), outline, socialImage: null, hasHero });
  return renderSitePage({
    frame: sampleFrame({ language, look: ownLook() }),
    page: {
      ...page,
      heading: heading === null ? null : sanitised(heading),
      layout: hasHero ? { ...page.layout, hasNavigation: false, hasOutline: false } : page.layout,
    },
  });
}

function print({ body }: RenderedBlocks): string {
  return renderPrint({
    language: 'en',
    title: 'Lantern',
    source: 'https://lantern.example/docs',
    assetsHref: '/docs/~assets/',
    styleHref: '/docs/~assets/look.css',
    spaces: [
      {
        title: 'Guide',
        contents: [
          {
            title: 'Basics',
            href: null,
            entries: [{ title: 'Patterns', href: '#p1', entries: [] }],
          },
        ],
        pages: [
          { id: 'p1', title: 'Patterns', heading: null, description: 'Of files.', body: sanitised(body) },
        ],
      },
    ],
    parts: [
      { href: '/docs/print', isCurrent: true },
      { href: '/docs/print/2', isCurrent: false },
    ],
  });
}

function refusal(language: string): string {
  const reason = language === 'en' ? 'The sign-in token has expired.' : null;
  return renderRefusal({ language, assetsHref: '/docs/~assets/', signInHref: null, reason });
}

function ownLook(): SiteLook {
  return { ...sampleFrame().look, primaryColor: { light: '#f4c20d', dark: '#0b3d0b' } };
}

function search(query: string, scope: string): SearchAnswer {
  const scopes = ['all', 'variant'].map((name) => ({
    name,
    label: name === 'all' ? 'Everything' : 'Guide',
    isChosen: name === (scope || 'all'),
  }));
  const ask = query.startsWith('how ')
    ? {
        href: '/docs/ask',
        script: `/docs/~assets/${siteAssets().askScript.name}`,
        label: 'Answer this question',
        answerLabel: 'Answer',
      }
    : null;
  const found = {
    corrected: null,
    said: scope === 'variant' ? 'In the guide: 2' : 'Results: 2',
    scopes,
    ask,
  };
  if (query === 'nothing') return { ...found, results: [], said: 'Nothing found for “nothing”.' };
  return {
    ...found,
    results: ['First', 'Second'].map((title) => ({
      title,
      href: `/docs/patterns?found=${title}`,
      trail: ['Basics'],
      excerpt: [
        { text: 'About ', isMatch: false },
        { text: query, isMatch: true },
      ],
    })),
  };
}

const SENTENCES = [
  { text: 'A glob is matched against the whole path.', cites: [0] },
  { text: 'Two stars match folders, too, and <b>nothing here is markup</b>.', cites: [0, 1] },
];

/** The sections at once, and the answer when the reader has them; to a question about failures, an error. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { results } = search('globs', '');
  const question = new URLSearchParams(await readBody(request)).get('q') ?? '';
  const events: readonly ShownAnswer[] = [
    { said: 'Composing…', sentences: [], results },
    { said: 'A model composed this.', sentences: SENTENCES, results },
  ];
  const written = events.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { ...siteSecurityHeaders, 'content-type': 'text/event-stream' });
  if (question.includes('fail')) return void response.end('event: error\ndata: {}\n\n');
  // In pieces that end anywhere.
  for (const piece of written.join('').match(/.{1,100}/gs) ?? []) response.write(piece);
  response.end('event: done\ndata: {}\n\n');
}

function answerPage(): string {
  const words = wordsFor('en');
  const shown = {
    ...search('how do globs work', ''),
    query: 'how do globs work',
    said: words.composed,
    from: 'here',
    scope: 'all',
    canAsk: true,
    sentences: SENTENCES,
  };
  const options = { action: '/docs/search', askAction: '/docs/ask', words };
  return renderSitePage({
    frame: sampleFrame({ look: ownLook() }),
    page: samplePage({ title: words.search, heading: null, body: renderFoundOnSite(shown, options) }),
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
