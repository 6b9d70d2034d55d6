import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const executablePath = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';

/** Of a window, in CSS pixels. */
const HEIGHT = 900;

/**
 * Tests that need a real browser, which takes as long to look at a page in every size and colour as a hundred other tests.
 * They run in CI, where they fail without one, and with `npm run test:browser`.
 */
export function describeInBrowser(name: string, body: () => void): void {
  if (!existsSync(executablePath) && process.env['CI'] === undefined) {
    console.warn(`Left out “${name}”: there is no Chromium at ${executablePath}; set CHROMIUM_PATH to one.`);
    describe.skip(name, body);
    return;
  }
  describeAtLength(name, false, body);
}

/**
 * As root Chromium has no sandbox of its own; it opens nothing but the pages under test. What is waited for in its windows
 * may take longer than Playwright's 30 seconds.
 */
export async function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about: refused by the policy, not found, broken. */
  readonly complaints: string[];
}

/** A window of its own, with what the browser complains about written down. */
export async function openWindow(
  browser: Browser,
  options: { readonly width?: number } = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: HEIGHT },
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A browser gives up what a page still loads when the next page is opened or the window is closed; nobody misses it.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed: ${reason}`);
  });
  return { context, page, complaints };
}

/** The same where somebody is signed in already. */
export async function openSignedIn(
  browser: Browser,
  pages: { readonly url: string; signIn(): Promise<string> },
  options: { readonly width?: number } = {},
): Promise<Watched> {
  const watched = await openWindow(browser, options);
  const [name = '', value = ''] = (await pages.signIn()).split('=');
  await watched.context.addCookies([{ name, value, url: pages.url }]);
  return watched;
}

const LOOKS = {
  light: { width: 1280, colorScheme: 'light' },
  dark: { width: 1280, colorScheme: 'dark' },
  'light-on-a-phone': { width: 390, colorScheme: 'light' },
} as const;

/** Only where new pages are looked at: a third more, for what the three others hardly ever miss. */
const DARK_PHONE = { 'dark-on-a-phone': { width: 390, colorScheme: 'dark' } } as const;

/** Looks at an open page in every size and colour that it has, without loading it again, and leaves it as it was opened. */
export async function inEveryLook(
  page: Page,
  look: (name: string) => Promise<void>,
  { withDarkPhone = false } = {},
): Promise<void> {
  // A page that was just gone to may stand there without its style yet.
  await page.waitForLoadState('load');
  for (const [name, { width, colorScheme }] of Object.entries({
    ...LOOKS,
    ...(withDarkPhone ? DARK_PHONE : {}),
  })) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await look(name);
  }
  await page.setViewportSize({ width: LOOKS.light.width, height: HEIGHT });
}

/** Keeps a picture of the page in the folder SCREENSHOTS, when there is one. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
