import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Served } from '../server/start-serve.ts';

/** Opens the start of a sign-in in a browser without script, and agrees at the provider, which is another site. */
export async function agreeAtProvider(
  browser: Browser,
  start: string,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(start);
  expect(new URL(page.url()).hostname).toBe('localhost');
  await page.getByRole('button', { name: 'Agree' }).click();
  return { context, page };
}

/** Signs in at a provider, and is back on the status page. Returns the cookies of the browser then. */
export async function expectSignIn(browser: Browser, served: Served, start: string, name: string) {
  const { context, page } = await agreeAtProvider(browser, start);
  await page.waitForURL(`${served.url}/status`);
  expect(await page.locator('.who').textContent()).toBe(name);
  const cookies = await context.cookies(served.url);
  await context.close();
  return cookies;
}

/** Agrees at a provider, and is told why nobody is signed in. */
export async function expectRefusal(
  browser: Browser,
  served: Served,
  start: string,
  sentence: string,
): Promise<void> {
  const { context, page } = await agreeAtProvider(browser, start);
  await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
  expect(await page.locator('main').textContent()).toContain(sentence);
  await page.goto(`${served.url}/status`);
  expect(new URL(page.url()).pathname).toBe('/login');
  await context.close();
}
