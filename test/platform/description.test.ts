import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startPlatform();
});

afterAll(() => platform?.close());

it('names the running release', async () => {
  const response = await fetch(`${platform.url}/v1/openapi.json`);
  expect(await response.json()).toMatchObject({ info: { version: manifest.version } });
});
