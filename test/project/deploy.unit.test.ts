/** The files of deploy/, held against the schemas that Kubernetes publishes, and against the settings of Docloom. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/server/config/settings.ts';
import { expectSafePods, type Manifest, parseManifests, validateManifest } from './kubernetes.ts';

const folder = 'deploy/kubernetes';
const manifests = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => parseManifests(readFileSync(join(folder, name), 'utf8')));
const named = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

describe('deploy/kubernetes', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is valid',
    async (_name, manifest) => await validateManifest(manifest),
  );

  it('is held against schemas that know mistakes', async () => {
    const [deployment] = named('Deployment');
    const wrong = structuredClone(deployment) as Manifest;
    Object.assign(wrong.spec ?? {}, { replicas: 'two' });
    await expect(validateManifest(wrong)).rejects.toThrow();
  });

  it('names every file, and every file is named', () => {
    const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    expect(resources.toSorted()).toEqual(
      readdirSync(folder)
        .filter((name) => name !== 'kustomization.yaml')
        .sort(),
    );
  });

  it.each(named('Deployment').map((manifest) => [manifest.metadata.name, manifest] as const))(
    '%s is not root, writes to no root, shares no volume, and its settings are read',
    (_name, manifest) => expectSafePods(manifest, named('ConfigMap')[0]?.data ?? {}),
  );

  it.each(named('PodDisruptionBudget').map((manifest) => [manifest.metadata.name, manifest] as const))(
    'the budget %s is for the pods of a deployment',
    (name, { spec }) => {
      const deployment = named('Deployment').find((one) => one.metadata.name === name);
      expect(spec?.['selector']).toEqual(deployment?.spec?.['selector']);
    },
  );
});

describe('deploy/compose', () => {
  const { services } = parse(readFileSync('deploy/compose/compose.yaml', 'utf8'), { merge: true }) as {
    services: Readonly<
      Record<string, Record<string, unknown> & { readonly environment?: Record<string, string> }>
    >;
  };

  it.each(Object.entries(services))('gives %s no right that it does not need', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: expect.arrayContaining(['/tmp']),
    });
    if ('image' in service) expect(service['image']).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  it.each(['web', 'worker'])('runs two processes of the role %s with settings that are read', (role) => {
    const service = services[role];
    expect(service).toMatchObject({ command: ['serve', '--role', role], deploy: { replicas: 2 } });
    const known = new Set<string>(SETTINGS.map(({ name }) => name));
    const names = Object.keys(service?.environment ?? {});
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});
