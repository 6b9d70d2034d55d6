import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { type ScimCaller, startProvisioning } from './scim-caller.ts';

interface Step {
  readonly get?: string;
  readonly post?: string;
  readonly put?: string;
  readonly patch?: string;
  readonly delete?: string;
  readonly send?: unknown;
  readonly status: number;
  readonly answer?: object;
  readonly keep?: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const cases = parse(readFileSync('fixtures/platform/provisioning.yaml', 'utf8')) as {
  readonly it: string;
  readonly steps: readonly Step[];
}[];

let platform: TestPlatform;
let scim: ScimCaller;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  scim = (await startProvisioning(platform)).scim;
});
afterAll(async () => {
  await platform?.close();
});

it.each(cases)('$it', async ({ steps }) => {
  const kept = new Map<string, string>();
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (all, name) => kept.get(name) ?? all)) as T;
  for (const step of steps) {
    const method = METHODS.find((one) => step[one] !== undefined) ?? 'get';
    const path = fill(step[method] as string);
    const { status, headers, body } = await scim(
      method.toUpperCase(),
      path,
      step.send === undefined ? undefined : fill(step.send),
    );
    expect([`${method} ${path}`, status, body]).toEqual([`${method} ${path}`, step.status, body]);
    if (step.answer !== undefined) expect(body).toMatchObject(fill(step.answer));
    if (body !== undefined) expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    if (status === 201) expect(headers.get('location')).toBe(body.meta.location);
    if (step.keep !== undefined) kept.set(step.keep, body.id);
  }
});
