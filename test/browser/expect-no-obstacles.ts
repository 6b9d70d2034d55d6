import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findObstacles } from './inspect-page.ts';
import { inEveryLook, takePicture } from './open-browser.ts';

interface Looking {
  readonly withDarkPhone?: boolean;
  /** Runs in each look before the page is looked at. */
  readonly prepare?: (look: string) => Promise<void>;
}

/** Looks at an open page in every size and colour, with a picture of each: nothing may stand in the way of people. */
export async function expectNoObstacles(page: Page, title: string, looking: Looking = {}): Promise<void> {
  await inEveryLook(
    page,
    async (look) => {
      await looking.prepare?.(look);
      await takePicture(page, `${title}-${look}`);
      expect({ title, look, obstacles: await findObstacles(page) }).toEqual({ title, look, obstacles: [] });
    },
    looking,
  );
}

/** The same for a page that was opened without script, which the search for obstacles needs: it is opened again with it. */
export async function expectNoObstaclesWithScript(
  browser: Browser,
  page: Page,
  title: string,
  looking: Looking = {},
): Promise<void> {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const eyes = await context.newPage();
  await eyes.goto(page.url());
  await expectNoObstacles(eyes, title, looking);
  await context.close();
}
