/** Manifests of Kubernetes, held against the published schemas of their kinds and against the settings of Docloom. */
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadServerConfig } from '../../src/server/config/config.ts';
import { SETTINGS } from '../../src/server/config/settings.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Record<string, unknown>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** Packages that have the schemas of what is not Kubernetes' own. */
const PACKAGES: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** Throws what is wrong with a manifest by the published schema of its kind, such as a field that there is not. */
export async function validateManifest(manifest: Manifest): Promise<void> {
  const { apiVersion, kind, ...rest } = manifest;
  const [group = ''] = apiVersion.split('/');
  const { [kind]: Model } = await import(`${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`);
  await new Model(rest).validate();
}

export function podOf({ spec }: Manifest) {
  return (spec as { template: { spec: { containers: readonly Container[] } & Record<string, unknown> } })
    .template.spec;
}

/** That a deployment's pods have no right that they do not need, share no volume, and that their settings are read. */
export function expectSafePods(deployment: Manifest, settings: Readonly<Record<string, string>>): void {
  const pod = podOf(deployment);
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
  const args = container?.args ?? [];
  const queues = args[args.indexOf('--queues') + 1] ?? '';
  const env = {
    BLOBS_ACCESS_KEY_ID: 'id',
    BLOBS_SECRET_ACCESS_KEY: 'secret',
    ...settings,
    // What is in a secret has no value here.
    ...Object.fromEntries(
      (container?.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
    ROLE: args[args.indexOf('--role') + 1],
    ...(args.includes('--queues') ? { QUEUES: queues } : {}),
  };
  const known = new Set<string>(SETTINGS.map(({ name }) => name));
  const named = [...Object.keys(env), ...(container?.env ?? []).map(({ name }) => name)];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const { drainSeconds } = loadServerConfig(env);
  // Kubernetes kills what takes longer.
  expect(pod['terminationGracePeriodSeconds']).toBeGreaterThan(drainSeconds + 25);
}
