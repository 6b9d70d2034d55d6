/** The dashboard and the alerts of deploy/monitoring ask for nothing that `/metrics` does not have. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Served, startServe } from './start-serve.ts';

let served: Served;
beforeAll(async () => {
  served = await startServe();
});
afterAll(() => served?.close());

it('the dashboard and the alerts are about metrics and labels that there are', async () => {
  const { panels } = JSON.parse(readFileSync('deploy/monitoring/dashboard.json', 'utf8'));
  const { groups } = parse(readFileSync('deploy/monitoring/alerts.yaml', 'utf8'));
  const rules: readonly { readonly expr: string; readonly record?: string }[] = groups.flatMap(
    (group: { rules: unknown }) => group.rules,
  );
  const asked: readonly string[] = [
    ...panels.flatMap(({ targets }: { targets: readonly { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
    ...rules.map(({ expr }) => expr),
  ];
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  for (const name of ['docloom_model_tokens', 'docloom_model_calls', 'docloom_model_tokens_limit'])
    expect(known).toContain(name);
  expect(metrics).toContain('docloom_model_tokens{purpose="translations"} 0\n');
  const names = asked.flatMap((expr) => expr.match(/\b(?:docloom|process)_\w+/g) ?? []);
  expect(new Set(names).size).toBeGreaterThan(10);
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''));
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
  // What Kubernetes scales by is a rule here.
  const worker = readFileSync('deploy/kubernetes/worker.yaml', 'utf8');
  const scaledBy = /metric: \{ name: "([^"]+)" \}/.exec(worker)?.[1];
  expect(rules.map(({ record }) => record)).toContain(scaledBy);
});
