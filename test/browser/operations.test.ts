import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { describeInBrowser, inEveryLook, openBrowser, openWindow, takePicture } from './open-browser.ts';
import { type OperationServer, startOperationServer } from './operation-server.ts';

describeInBrowser('an operation of an API in a browser', () => {
  let server: OperationServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startOperationServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    await page.goto(server.url);
    return page;
  }

  /** Opens the form, and chooses the server that is there. */
  async function openForm(page: Page) {
    await page.getByLabel('Server').selectOption({ index: 1 });
    await page.locator('.try-it > summary').click();
    return page.locator('.try-it form');
  }

  async function send(page: Page, id: string): Promise<string> {
    await page.locator('.try-it form').getByLabel('id', { exact: true }).fill(id);
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.locator('.answer');
    await answer.filter({ hasNotText: 'Sending…' }).filter({ hasText: /\S/ }).waitFor();
    return (await answer.textContent()) ?? '';
  }

  test('stands in nobody’s way, in every look', async () => {
    const { page, complaints, context } = await openWindow(browser);
    await page.goto(server.url);
    await page.locator('.try-it > summary').click();
    await inEveryLook(page, async (name) => {
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await takePicture(page, `operation-${name}`);
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('has its samples beside it, which stay in view', async () => {
    const page = await open();
    const samples = page.locator('.operation-samples');
    const text = await page.locator('.operation-text').boundingBox();
    expect((await samples.boundingBox())?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
    expect(
      await page.evaluate('getComputedStyle(document.querySelector(".operation-samples")).position'),
    ).toBe('sticky');
    await page.setViewportSize({ width: 390, height: 900 });
    expect((await samples.boundingBox())?.x).toBeLessThan(60);
    await page.context().close();
  });

  test('names the chosen server in its samples', async () => {
    const page = await open();
    const curl = page.locator('.operation-samples pre').first();
    expect(await curl.textContent()).toContain("'https://eu.api.example/v1/pets/ID'");
    await page.getByRole('combobox', { name: 'region' }).selectOption('us');
    expect(await curl.textContent()).toContain("'https://us.api.example/v1/pets/ID'");
    await page.getByLabel('Server').selectOption({ index: 1 });
    await page.getByLabel('path', { exact: true }).fill("it's");
    expect(await curl.textContent()).toContain('/it%27s/pets/ID');
    for (const sample of await page.locator('.operation-samples .tab pre').allTextContents())
      expect(sample).not.toContain('api.example');
    await page.context().close();
  });

  test('is sent straight to its server, with what was typed and nothing else', async () => {
    const page = await open();
    const form = await openForm(page);
    await form.getByLabel('key', { exact: true }).fill('secret');
    await form.getByLabel(/^tags/).fill('a, b&c');
    await form.getByLabel(/^size/).selectOption('m');
    expect(await send(page, 'a/b')).toContain('200 OK');
    expect(await page.locator('.answer > pre').textContent()).toBe('{\n  "name": "Rex"\n}');
    const { line, headers, body } = server.requests.at(-1) ?? { line: '', headers: {}, body: '' };
    expect(line).toBe('PUT /v1/pets/a%2Fb?size=m&tags=a&tags=b%26c');
    expect(headers).toMatchObject({ 'x-key': 'secret', 'content-type': 'application/json' });
    expect([headers.cookie, headers.referer, headers.authorization]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(JSON.parse(body)).toMatchObject({ name: 'Rex' });
    await form.getByLabel('Authorization').selectOption('login');
    await form.getByLabel('login: user').fill('Zoë');
    await form.getByLabel('login: password').fill('pass');
    expect(await send(page, 'missing')).toContain('404 Not Found');
    expect(server.requests.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from('Zoë:pass').toString('base64')}`,
    );
    expect(server.requests.at(-1)?.headers['x-key']).toBeUndefined();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toMatch(
      /secret|pass|Zoë/,
    );
    expect(await findViolations(page)).toEqual([]);
    await takePicture(page, 'operation-answer');
    await page.context().close();
  });

  test('shows what came back as text, and not all of what is large', async () => {
    const page = await open();
    await openForm(page);
    expect(await send(page, 'markup')).toContain('<script>window.wasRun = true</script>');
    expect(await page.evaluate('[window.wasRun, document.querySelectorAll(".answer img").length]')).toEqual([
      undefined,
      0,
    ]);
    expect(await send(page, 'large')).toContain('Only the first MB of the answer is shown.');
    expect((await page.locator('.answer > pre').textContent())?.length).toBe(1024 * 1024);
    await page.context().close();
  });

  test('says why nothing came back', async () => {
    const page = await open();
    await openForm(page);
    for (const id of ['closed', 'elsewhere']) expect(await send(page, id)).toContain('(CORS)');
    await page.getByLabel('Server').selectOption({ index: 2 });
    const before = server.requests.length;
    expect(await send(page, 'x')).toMatch(
      /^Requests are sent from here to https:\/\/eu\.api\.example, .* only\.$/,
    );
    expect(server.requests).toHaveLength(before);
    await page.getByLabel('id', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.evaluate('document.querySelector(".try-it form").checkValidity()')).toBe(false);
    await page.context().close();
  });

  test('has everything but that without a script', async () => {
    const page = await open({ javaScriptEnabled: false });
    const text = (await page.locator('.operation').innerText()).replace(/\s+/g, ' ');
    for (const part of ['https://{region}.api.example/v1', '{region}: eu, or us', 'Authorization, one of'])
      expect(text).toContain(part);
    expect(await page.locator('.try-it, .server-choice').count()).toBe(0);
    await page.getByText('Forms: 2').first().click();
    await page.getByText('is is Cat').first().waitFor();
    await page.context().close();
  });
});
