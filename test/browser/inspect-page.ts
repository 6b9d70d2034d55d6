import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { findViolations } from './find-violations.ts';

const script = readFileSync(new URL('find-obstacles.js', import.meta.url), 'utf8');

/** What stands in the way of people on this page by our own rules, which are in find-obstacles.js; empty for a good page. */
export async function findOwnObstacles(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script.slice(script.indexOf('(()')));
}

/** What stands in the way of people on this page, by our own rules and by those of axe; empty for a good page. */
export async function findObstacles(page: Page): Promise<string[]> {
  return [...(await findOwnObstacles(page)), ...(await findViolations(page))];
}

/** Waits until every picture is there, also those further down. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
  }))`);
}

/** Lays out what waits until somebody comes near, so that it is looked at, too. */
export async function layOutEverything(page: Page): Promise<void> {
  await page.evaluate(
    "for (const block of document.querySelectorAll('.content > *, .content > * > *')) block.style.contentVisibility = 'visible'",
  );
}
