import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const script = readFileSync(new URL('find-obstacles.js', import.meta.url), 'utf8');

/** What stands in the way of people on this page; empty for a good page. See find-obstacles.js for the rules. */
export async function findObstacles(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script.slice(script.indexOf('(()')));
}

/** Waits until every picture is there, also those further down. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
  }))`);
}
