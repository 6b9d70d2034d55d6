/** The tables of docs/scale.md, which follow from bench/capacity.json; `UPDATE_DOCS=1` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeScale, fillMarks } from '../../bench/simulation/describe.ts';
import type { CapacityFigures } from '../../bench/simulation/figures.ts';
import { simulate } from '../../bench/simulation/simulate.ts';

const FILE = 'docs/scale.md';
const figures: CapacityFigures = JSON.parse(readFileSync('bench/capacity.json', 'utf8'));
const pushesOnly = (cost: Partial<CapacityFigures['costs']['push']>): CapacityFigures => ({
  ...figures,
  costs: { ...figures.costs, push: { ...figures.costs.push, ...cost } },
});

it('docs/scale.md has the tables that follow from the measured figures', () => {
  const parts = describeScale(figures);
  const text = readFileSync(FILE, 'utf8');
  for (const name of Object.keys(parts)) expect(text).toContain(`<!-- ${name} -->`);
  const filled = fillMarks(text, parts);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(FILE, filled);
  else expect(text).toBe(filled);
});

describe('the simulation', () => {
  it('is the same hour for the same seed, and another for another', () => {
    expect(simulate(figures, 10_000, 7)).toEqual(simulate(figures, 10_000, 7));
    expect(simulate(figures, 10_000, 7).live).not.toEqual(simulate(figures, 10_000, 8).live);
  });

  it('needs more processors for pushes that cost more, and none more for calls', () => {
    const { workerCores } = simulate(figures, 10_000);
    const { serverCpuMs, calls } = figures.costs.push;
    const slower = simulate(pushesOnly({ serverCpuMs: 100 * serverCpuMs }), 10_000);
    expect(slower.workerCores).toBeGreaterThan(5 * workerCores);
    const chattier = simulate(pushesOnly({ calls: 2 * calls }), 10_000);
    expect(chattier.workerCores).toBe(workerCores);
    expect(chattier.calls).toBeGreaterThan(simulate(figures, 10_000).calls);
  });

  it('lets jobs wait for the next hour once an installation has made its calls, and calls that the first wall', () => {
    const outcome = simulate(pushesOnly({ calls: 2_000 }), 10_000);
    expect(outcome.delayed).toBeGreaterThan(0);
    expect(outcome.live.p95).toBeGreaterThan(600);
    expect(outcome.walls[0]).toMatchObject({ name: 'calls to GitHub, largest installation' });
  });
});
