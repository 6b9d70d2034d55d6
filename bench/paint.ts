/**
 * Compares pages of published sites with the same pages as their own builders make them: bytes, and how soon they stand
 * there on a phone, in Chromium with a slow network and processor. BENCH_PEERS is a folder with a clone of each
 * repository below in which its build was run; a repository that is not there is left out.
 *
 * Beside each pair stands what no page can be faster than in the same browser: its text without any look or script, and a
 * document with a few words.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../test/browser/open-browser.ts';
import { medianOf, startPlatformServer } from './platform-server.ts';

interface Peer {
  readonly name: string;
  readonly repository: string;
  /** Of the documentation in the repository. */
  readonly directory: string;
  /** Where its build puts the site. */
  readonly build: string;
  /** Paths of pages, by the build and by a published site. */
  readonly pages: readonly { readonly built: string; readonly published: string }[];
}

const PEERS: readonly Peer[] = [
  {
    name: 'VitePress',
    repository: 'vuejs__docs',
    directory: '',
    build: '.vitepress/dist',
    pages: [
      { built: '/guide/essentials/computed.html', published: '/guide/essentials/computed' },
      { built: '/guide/components/slots.html', published: '/guide/components/slots' },
    ],
  },
  {
    name: 'Starlight',
    repository: 'withastro__starlight',
    directory: 'docs',
    build: 'docs/dist',
    pages: [
      { built: '/guides/pages/', published: '/guides/pages' },
      { built: '/reference/configuration/', published: '/reference/configuration' },
    ],
  },
  {
    name: 'Docusaurus',
    repository: 'reduxjs__redux',
    directory: '',
    build: 'website/build',
    pages: [
      { built: '/introduction/core-concepts/', published: '/introduction/core-concepts' },
      {
        built: '/tutorials/essentials/part-4-using-data/',
        published: '/tutorials/essentials/part-4-using-data',
      },
    ],
  },
  {
    // With the theme Material. Its own plugins only add to pages that are not compared.
    name: 'MkDocs',
    repository: 'mkdocs__mkdocs',
    directory: '',
    build: 'site',
    pages: [
      { built: '/getting-started/', published: '/getting-started' },
      { built: '/user-guide/configuration/', published: '/user-guide/configuration' },
    ],
  },
];

const ROUNDS = 5;

/** A phone of the middle class in a mobile network, as Lighthouse simulates it. */
const PHONE = { width: 412, height: 823, slowdown: 4 };
const NETWORK = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 };

/** After the page was loaded, in ms: what scripts still do then delays people, too. */
const QUIET_MS = 2_000;

interface Look {
  /** Compressed, in KB. */
  readonly html: number;
  readonly css: number;
  readonly script: number;
  /** Largest Contentful Paint and Total Blocking Time, in ms. */
  readonly lcp: number;
  readonly tbt: number;
  /** Cumulative Layout Shift. */
  readonly cls: number;
}

export async function run(): Promise<void> {
  const folder = process.env['BENCH_PEERS'] ?? '';
  const peers = PEERS.filter(({ repository, build }) => existsSync(join(folder, repository, build)));
  if (peers.length === 0) {
    console.log('Left out: BENCH_PEERS names no folder with a repository that its builder has built.');
    return;
  }
  const server = await startPlatformServer();
  const browser = await openBrowser();
  console.log('page | by | HTML KB | CSS KB | script KB | LCP ms | TBT ms | CLS');
  try {
    for (const peer of peers) {
      const clone = join(server.repositories, `${peer.repository}.git`);
      execFileSync('git', ['clone', '-q', '--bare', join(folder, peer.repository), clone]);
      execFileSync('git', ['-C', clone, 'update-ref', 'refs/heads/main', 'HEAD']);
      const space = await server.createSpace(peer.name);
      await server.importBranch(space, `${server.gitUrl}/${peer.repository}.git`, peer.directory);
      const site = await server.publishSite(space);
      const built = await serveBuild(join(folder, peer.repository, peer.build));
      for (const { built: path, published } of peer.pages) {
        print(published, 'Docloom', await lookAt(browser, site + published));
        print(published, peer.name, await lookAt(browser, built.url + path));
        const floors = await serveFloors(site + published);
        print(published, 'text alone', await lookAt(browser, `${floors.url}/text.html`));
        print(published, 'few words', await lookAt(browser, `${floors.url}/few.html`));
        floors.server.close();
      }
      built.server.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

function print(page: string, by: string, { html, css, script, lcp, tbt, cls }: Look): void {
  const bytes = [html, css, script].map((size) => size.toFixed(1));
  console.log([page, by, ...bytes, lcp.toFixed(0), tbt.toFixed(0), cls.toFixed(3)].join(' | '));
}

/** The medians of some visits, each with an empty cache. */
async function lookAt(browser: Browser, address: string): Promise<Look> {
  const looks: Look[] = [];
  for (let round = 0; round < ROUNDS; round += 1) looks.push(await visit(browser, address));
  const median = (field: keyof Look) => medianOf(looks.map((look) => look[field]));
  return {
    html: median('html'),
    css: median('css'),
    script: median('script'),
    lcp: median('lcp'),
    tbt: median('tbt'),
    cls: median('cls'),
  };
}

const OBSERVE = `
window.seen = { lcp: 0, tbt: 0, cls: 0 };
const observe = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
observe('longtask', (entry) => { seen.tbt += Math.max(0, entry.duration - 50); });
observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
`;

async function visit(browser: Browser, address: string): Promise<Look> {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, deviceScaleFactor: 1.75 });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowdown });
    const kinds = new Map<string, string>();
    const bytes = { Document: 0, Stylesheet: 0, Script: 0 };
    devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? '';
      if (kind in bytes) bytes[kind as keyof typeof bytes] += encodedDataLength / 1024;
    });
    await page.addInitScript(OBSERVE);
    const answer = await page.goto(address, { waitUntil: 'load' });
    if (answer?.status() !== 200) throw new Error(`${address} answered ${answer?.status()}.`);
    await page.waitForTimeout(QUIET_MS);
    const seen = await page.evaluate<Pick<Look, 'lcp' | 'tbt' | 'cls'>>('window.seen');
    return { html: bytes.Document, css: bytes.Stylesheet, script: bytes.Script, ...seen };
  } finally {
    await context.close();
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

const compress = promisify(brotliCompress);

interface Served {
  readonly server: Server;
  readonly url: string;
}

function serveBuild(folder: string): Promise<Served> {
  return serve((path) => readFile(join(folder, normalize(path))).catch(() => null));
}

async function serveFloors(address: string): Promise<Served> {
  const html = await (await fetch(address)).text();
  const start =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Floor</title>';
  const text = /<main.*<\/main>/s.exec(html)?.[0].replace(/<svg.*?<\/svg>/gs, '') ?? '';
  const documents = new Map([
    ['/text.html', `${start}${text}`],
    ['/few.html', `${start}<p>${'These are a few words. '.repeat(12)}</p>`],
  ]);
  return await serve(async (path) => {
    const found = documents.get(path);
    return found === undefined ? null : Buffer.from(found);
  });
}

/** Serves files as a good static host does: compressed with Brotli, and kept so. */
async function serve(read: (path: string) => Promise<Buffer | null>): Promise<Served> {
  const answers = new Map<string, Buffer | null>();
  const load = async (path: string): Promise<Buffer | null> => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const file = await read(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const answer = file === null ? null : await compress(file, { params });
    answers.set(path, answer);
    return answer;
  };
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://peer.invalid');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const body = await load(decodeURIComponent(path));
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(body === null ? 404 : 200, { 'content-type': type, 'content-encoding': 'br' });
    response.end(body ?? undefined);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, url: `http://127.0.0.1:${port}` };
}
