import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sanitised } from '../../src/markup/index.ts';
import { siteSecurityHeaders } from '../../src/sites/security-headers.ts';
import { renderRefusal } from '../../src/sites/views/render-refusal.ts';
import { renderSitePage } from '../../src/sites/views/render-site-page.ts';
import { siteAssets } from '../../src/sites/views/site-assets.ts';
import type { SearchAnswer } from '../../src/sites/views/site-page.ts';
import { siteStyles } from '../../src/sites/views/site-styles.ts';
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
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sites.test');
    const send = (type: string, body: string | Buffer) => {
      response.writeHead(200, { ...siteSecurityHeaders, 'content-type': type }).end(body);
    };
    const asset = Object.values(siteAssets()).find(({ name }) => pathname === `/docs/~assets/${name}`);
    if (asset !== undefined) return send(asset.contentType, asset.body);
    if (pathname === '/docs/~assets/look.css') return send('text/css', customStyles());
    if (pathname.endsWith('.md')) return send('text/markdown; charset=utf-8', '# Patterns\n');
    if (pathname === '/docs/search' && request.headers.accept === 'application/json')
      return send('application/json', JSON.stringify(search(searchParams.get('q') ?? '')));
    if (pathname === '/docs/refused')
      return send('text/html; charset=utf-8', refusal(searchParams.get('lang') ?? 'en'));
    return send('text/html; charset=utf-8', renderPage(blocks, searchParams.get('lang') ?? 'en'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/docs/patterns`, close: () => closeServer(server) };
}

function renderPage({ body, outline }: RenderedBlocks, language: string): string {
  return renderSitePage({
    frame: sampleFrame({ language }),
    page: samplePage({ body: sanitised(body), outline, socialImage: null }),
  });
}

function refusal(language: string): string {
  const reason = language === 'en' ? 'The sign-in token has expired.' : null;
  return renderRefusal({ language, assetsHref: '/docs/~assets/', reason });
}

function customStyles(): string {
  const { look } = sampleFrame();
  return siteStyles({ ...look, primaryColor: { light: '#f4c20d', dark: '#0b3d0b' } });
}

function search(query: string): SearchAnswer {
  if (query === 'nothing') return { results: [] };
  return {
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

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
