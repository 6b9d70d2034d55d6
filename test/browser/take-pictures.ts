/**
 * Takes the pictures of the docs from the demo: starts it, fills it with what the pictures show, and looks at it in Chromium.
 * `npm run docs:pictures` replaces those in `docs/pictures/`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createNarrator, waitFor } from '../../src/cli/demo/narrator.ts';
import { openStage } from '../../src/cli/demo/open-stage.ts';
import { type Played, playStory } from '../../src/cli/demo/play-story.ts';
import { createClient, operations, type PlatformClient } from '../../src/client/index.ts';
import { createHttp } from '../../src/net/index.ts';
import { openBrowser } from './open-browser.ts';
import {
  MAX_PICTURE,
  PICTURE_SIZE,
  PICTURES,
  type PictureName,
  pictureFile,
  SCHEMES,
} from './picture-list.ts';

/** Of WebP, from 0 to 100: the first with which a picture is small enough. */
const QUALITIES = [80, 60, 40, 20];

/** Where each picture is taken. */
type Addresses = Readonly<Record<PictureName, string>>;

/** Writes all pictures into a folder. */
export async function takePictures(
  folder: string,
  { signal, write }: { readonly signal: AbortSignal; readonly write: (text: string) => unknown },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stage = await openStage({ signal, env: { NODE_OPTIONS: process.env['NODE_OPTIONS'] } });
  const http = createHttp({ userAgent: 'docloom-pictures' });
  const browser = await openBrowser();
  try {
    const played = await playStory(stage, createNarrator({ write }), signal);
    const client = createClient({ baseUrl: stage.url, token: played.platformToken, http });
    const addresses = await fillDemo(client, stage.url, played, signal);
    const context = await browser.newContext({ viewport: PICTURE_SIZE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${stage.url}/login`);
    await page.getByLabel('API token').fill(played.platformToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const name of PICTURES) {
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const answer = await page.goto(addresses[name]);
        if (answer?.status() !== 200)
          throw new Error(`${addresses[name]} answered ${answer?.status()}, so there is no picture ${name}.`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle');
        await writeFile(join(folder, pictureFile(name, colorScheme)), await takeWebp(page));
      }
      write(`Took ${name}.\n`);
    }
  } finally {
    await browser.close();
    await http.close();
    await stage.close();
  }
}

/** Makes what the demo itself does not show. */
async function fillDemo(
  client: PlatformClient,
  url: string,
  played: Played,
  signal: AbortSignal,
): Promise<Addresses> {
  const { items } = await client.call(operations.listOrganizations, { query: { limit: 1 } });
  const organizationId = items[0]?.id ?? '';
  const { spaceId, path } = await findPage(client, organizationId, /(?:^|\/)alerts\.md$/);
  const number = await proposeChange(client, spaceId, path);
  await client.call(operations.ingestConversation, {
    params: { organizationId },
    body: QUESTIONS.map((body, at) => ({
      id: `question-${at}`,
      metadata: { url: `https://desk.example/${at}`, attributes: { source: 'zendesk' } },
      parts: [{ type: 'message', role: 'user', body }],
    })),
  });
  const cluster = await waitFor(
    'a group of questions',
    async () =>
      (await client.call(operations.listIssuesClusters, { params: { organizationId }, query: {} })).items[0],
    { signal },
  );
  const translationId = await translate(client, { organizationId, spaceId, signal });
  const organization = `${url}/orgs/${organizationId}`;
  return {
    site: new URL('guide/configuration', `${played.outcome.site.url.replace(/\/+$/, '')}/`).href,
    report: played.reportUrl ?? '',
    status: `${url}/status`,
    setup: `${url}/setup`,
    editor: `${url}/spaces/${spaceId}/edit?${new URLSearchParams({ path, cr: String(number) })}`,
    review: `${url}/spaces/${spaceId}/change-requests/${number}`,
    conversations: `${organization}/conversations/${cluster.id}`,
    translations: `${organization}/translations/${translationId}/page?${new URLSearchParams({ path })}`,
  };
}

const QUESTIONS = [
  'How do I send an alert by mail?',
  'Alert by mail: which variable sets the address?',
  'Can an alert be sent by mail and by hook at once?',
];

async function findPage(
  client: PlatformClient,
  organizationId: string,
  wanted: RegExp,
): Promise<{ readonly spaceId: string; readonly path: string }> {
  for await (const { id } of client.paginate(operations.listSpaces, { params: { organizationId } })) {
    const { pages } = await client.call(operations.listPages, { params: { spaceId: id } });
    const [, path] = /"path":"([^"]*alerts\.md)"/.exec(JSON.stringify(pages)) ?? [];
    if (path !== undefined && wanted.test(path)) return { spaceId: id, path };
  }
  throw new Error(`No space of the demo has a page ${wanted}.`);
}

/** A change request with one changed page; returns its number. */
async function proposeChange(client: PlatformClient, spaceId: string, path: string): Promise<number> {
  const { id, number } = await client.call(operations.createChangeRequest, {
    params: { spaceId },
    body: { subject: 'Say when an alert is repeated' },
  });
  const { text = '' } = await client.call(operations.getSource, { params: { spaceId }, query: { path } });
  await client.call(operations.changeContent, {
    params: { spaceId, changeRequestId: id },
    body: {
      changes: [
        {
          type: 'write',
          path,
          text: `${text.replace('turns up.', 'turns up. It is repeated every hour, until somebody looks.')}\n## Quiet hours\n\nBetween \`LANTERN_QUIET_FROM\` and \`LANTERN_QUIET_TO\` no bell rings. See [Configuration](configuration.md).\n`,
        },
      ],
    },
  });
  await client.call(operations.updateChangeRequest, {
    params: { spaceId, changeRequestId: id },
    body: { status: 'open' },
  });
  return number;
}

/** The pseudo-locale needs no service. */
async function translate(
  client: PlatformClient,
  {
    organizationId,
    spaceId,
    signal,
  }: { readonly organizationId: string; readonly spaceId: string; readonly signal: AbortSignal },
): Promise<string> {
  const { id } = await client.call(operations.createTranslation, {
    params: { organizationId },
    body: { source: { space: spaceId, language: 'en' }, language: 'de' },
  });
  const params = { organizationId, translationId: id };
  await client.call(operations.runTranslation, { params });
  await waitFor(
    'the translation',
    async () => {
      const { status } = await client.call(operations.getTranslation, { params });
      return status === 'completed' || undefined;
    },
    { signal },
  );
  return id;
}

/** A picture of the window as WebP, as good as fits into the limit. */
async function takeWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  try {
    for (const quality of QUALITIES) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length <= MAX_PICTURE) return bytes;
    }
  } finally {
    await session.detach();
  }
  throw new Error(`The picture of ${page.url()} is larger than ${MAX_PICTURE} bytes, whatever its quality.`);
}

if (import.meta.main) {
  await takePictures(fileURLToPath(new URL('../../docs/pictures/', import.meta.url)), {
    signal: AbortSignal.timeout(600_000),
    write: (text) => process.stdout.write(text),
  });
}
