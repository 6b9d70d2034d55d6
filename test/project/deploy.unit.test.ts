/** The files of deploy/, held against the schemas that Kubernetes publishes, and against the settings of Docloom. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadServerConfig, SETTINGS } from '../../src/server/config/config.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Record<string, unknown>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

const folder = 'deploy/kubernetes';
const manifests = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8'), { merge: true })
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null),
  );
const named = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const podOf = ({ spec }: Manifest) =>
  (spec as { template: { spec: { containers: readonly Container[] } & Record<string, unknown> } }).template
    .spec;

/** Throws what is wrong with a manifest by Kubernetes' own schema of its kind. */
async function validate(manifest: Manifest): Promise<void> {
  const { apiVersion, kind, ...rest } = manifest;
  const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}/${kind}`);
  await new Model(rest).validate();
}

describe('deploy/kubernetes', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is valid',
    async (_name, manifest) => await validate(manifest),
  );

  it('is held against schemas that know mistakes', async () => {
    const [deployment] = named('Deployment');
    const wrong = structuredClone(deployment) as Manifest;
    Object.assign(wrong.spec ?? {}, { replicas: 'two' });
    await expect(validate(wrong)).rejects.toThrow();
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
    (_name, manifest) => {
      const pod = podOf(manifest);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const volume of pod['volumes'] as readonly object[]) expect(volume).toHaveProperty('emptyDir');
      const [container] = pod.containers;
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        startupProbe: { httpGet: { path: '/startupz' } },
        livenessProbe: { httpGet: { path: '/livez' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
      });
      const env = {
        ...named('ConfigMap')[0]?.data,
        ...Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value])),
        ROLE: container?.args.at(-1),
        BLOBS_ACCESS_KEY_ID: 'id',
        BLOBS_SECRET_ACCESS_KEY: 'secret',
      };
      const known = new Set<string>(SETTINGS.map(({ name }) => name));
      expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
      const { drainSeconds } = loadServerConfig(env);
      // Kubernetes kills what takes longer.
      expect(pod['terminationGracePeriodSeconds']).toBeGreaterThan(drainSeconds + 25);
    },
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
