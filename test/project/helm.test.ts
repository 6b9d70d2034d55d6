/** The chart in deploy/helm, rendered by the real Helm, and the manifests in deploy/kubernetes as kubectl builds them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { JOB_FAMILIES } from '../../src/server/roles.ts';
import { tellLeftOut } from '../support/describe-at-length.ts';
import { expectSafePods, type Manifest, parseManifests, podOf, validateManifest } from './kubernetes.ts';

const CHART = 'deploy/helm';
/** Without these, nothing is installed. */
const NEEDED = { publicUrl: 'https://docs-app.example.com', blobs: { url: 's3://docs/bytes' } };

/** Combinations that together take each branch of the templates. */
const CASES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'what is needed': NEEDED,
  'everything, with KEDA': {
    ...NEEDED,
    sitesUrl: 'https://*.docs.example.com',
    trustedProxies: '10.0.0.0/8',
    blobs: { url: 's3://docs/bytes', endpoint: 'https://s3.example.com', region: 'eu-central-1' },
    image: {
      repository: 'registry.example.com/docs',
      digest: `sha256:${'a'.repeat(64)}`,
      pullSecrets: [{ name: 'pull' }],
    },
    database: {
      url: { secret: 'db', key: 'url' },
      directUrl: { secret: 'db', key: 'direct' },
      replicaUrl: { secret: 'db', key: 'replica' },
    },
    github: { secret: 'app' },
    envFrom: [{ secretRef: { name: 'mail' } }],
    env: [{ name: 'SMTP_FROM', value: 'docs@example.com' }],
    settings: { LOG_LEVEL: 'warn', RECONCILE_SECONDS: 600 },
    web: {
      autoscaling: { enabled: false },
      nodeSelector: { 'kubernetes.io/arch': 'arm64' },
      tolerations: [{ key: 'docs', operator: 'Exists' }],
      podAnnotations: { note: 'web' },
    },
    worker: { autoscaling: { by: 'keda', prometheus: 'http://prometheus.monitoring:9090' } },
    workers: {
      all: null,
      git: { queues: ['git', 'github'], replicas: 3, affinity: { podAntiAffinity: {} } },
      rest: { queues: JOB_FAMILIES.filter((family) => family !== 'git' && family !== 'github') },
    },
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { a: 'b' } },
    networkPolicy: { egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] },
    metrics: {
      token: { secret: 'docloom', key: 'METRICS_TOKEN' },
      podMonitor: { enabled: true, labels: { a: 'b' } },
    },
    podLabels: { team: 'docs' },
    service: { annotations: { a: 'b' } },
  },
  'an external metric, and nothing that is optional': {
    ...NEEDED,
    blobs: { url: 's3://docs/bytes', credentials: { secret: '' } },
    worker: { autoscaling: { by: 'external' } },
    serviceAccount: { name: 'cloud' },
    disruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    metrics: { token: { secret: '', key: 'METRICS_TOKEN' } },
  },
};

const hasHelm = spawnSync('helm', ['version']).status === 0;
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasHelm) tellLeftOut('deploy/helm, for which helm has to be on the PATH');

describe.skipIf(!hasHelm)('deploy/helm', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docloom-helm-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function render(values: object, command = ['template', 'docs']): string {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, stringify(values));
    return execFileSync('helm', [...command, CHART, '--values', file], { encoding: 'utf8', stdio: 'pipe' });
  }
  const manifestsOf = (values: object) => parseManifests(render(values));

  describe.each(Object.entries(CASES))('with %s', (_name, values) => {
    let manifests: readonly Manifest[];
    const named = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
    beforeAll(() => {
      manifests = manifestsOf(values);
    });

    it('passes helm lint', () => expect(render(values, ['lint', '--strict'])).toContain('0 chart(s) failed'));

    it('is valid by the published schemas', async () => {
      expect(manifests.length).toBeGreaterThan(4);
      for (const manifest of manifests) await validateManifest(manifest);
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    });

    it('makes pods that have no right that they do not need, and settings that are read', () => {
      expect(named('Deployment').length).toBeGreaterThan(1);
      for (const deployment of named('Deployment')) {
        expectSafePods(deployment, named('ConfigMap')[0]?.data ?? {});
      }
    });

    it('selects the pods of one deployment with each budget and autoscaler, and those that answer with the service', () => {
      const deployments = new Map(named('Deployment').map((one) => [one.metadata.name, one]));
      for (const { metadata, spec } of named('PodDisruptionBudget'))
        expect(spec?.['selector']).toEqual(deployments.get(metadata.name)?.spec?.['selector']);
      for (const { spec } of [...named('HorizontalPodAutoscaler'), ...named('ScaledObject')]) {
        const target = String((spec?.['scaleTargetRef'] as { name: string } | undefined)?.name);
        // What an autoscaler sets must not be set again by the next `helm upgrade`.
        expect(deployments.get(target)?.spec).not.toHaveProperty('replicas');
      }
      const web = deployments.get('docs-docloom-web')?.spec?.['selector'] as { matchLabels: object };
      expect(named('Service')[0]?.spec?.['selector']).toEqual(web.matchLabels);
    });
  });

  it('shows each secret by reference only, and runs each kind of job in one of the groups', () => {
    const manifests = manifestsOf(CASES['everything, with KEDA'] ?? {});
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const args = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => podOf(one).containers[0]?.args);
    const queues = args
      .flatMap((list) => (list?.includes('--queues') ? [list.at(-1)?.split(',')] : []))
      .flat();
    expect(queues.toSorted()).toEqual(JOB_FAMILIES.toSorted());
    const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'];
    for (const one of manifests.filter(({ kind }) => kind === 'Deployment'))
      expect(podOf(one).containers[0]?.env).toEqual(
        expect.arrayContaining(
          names.map((name) => ({
            name,
            valueFrom: { secretKeyRef: expect.objectContaining({ name: 'db' }) },
          })),
        ),
      );
    const queries = manifests
      .filter(({ kind }) => kind === 'ScaledObject')
      .map((one) => JSON.stringify(one.spec));
    expect(queries[0]).toContain(JSON.stringify('queue=~"(git|github)(\\\\..+)?"').slice(1, -1));
  });

  it('leads both hosts to the service, with a certificate', () => {
    const ingress = manifestsOf(CASES['everything, with KEDA'] ?? {}).find(({ kind }) => kind === 'Ingress');
    const hosts = ['docs-app.example.com', '*.docs.example.com'];
    expect(ingress?.spec?.['tls']).toEqual([{ secretName: 'certificate', hosts }]);
    expect(ingress?.spec?.['rules']).toMatchObject(hosts.map((host) => ({ host })));
  });

  it.each([
    [{}, '/publicUrl'],
    [{ ...NEEDED, blobs: { url: 'file:///shared' } }, '/blobs/url'],
    [{ ...NEEDED, worker: { queus: ['git'] } }, 'queus'],
    [{ ...NEEDED, user: 0 }, '/user'],
    [
      { ...NEEDED, worker: { autoscaling: { by: 'keda' } } },
      'worker.autoscaling.prometheus must be the address',
    ],
    [{ ...NEEDED, workers: { all: null } }, 'workers must name a group'],
    [{ ...NEEDED, metrics: { podMonitor: { enabled: true } } }, 'metrics.token.secret must name a secret'],
  ])('refuses %o and says what is wrong', (values, reason) => {
    expect(() => render(values)).toThrow(reason);
  });

  it('has the release of the program', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });
});

describe.skipIf(!hasKubectl)('kubectl kustomize deploy/kubernetes', () => {
  it('makes manifests that are valid, with the image of your registry', async () => {
    const built = parseManifests(
      execFileSync('kubectl', ['kustomize', 'deploy/kubernetes'], { encoding: 'utf8' }),
    );
    expect(built.length).toBeGreaterThan(8);
    for (const manifest of built) await validateManifest(manifest);
    for (const deployment of built.filter(({ kind }) => kind === 'Deployment'))
      expect(podOf(deployment).containers[0]?.image).toBe('registry.example.com/docloom:0.2.0');
  });
});
