/** Prints what the simulation on the measured figures (`bench/capacity.json`) says of 100, 10,000 and 1,000,000 repositories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeScale } from './simulation/describe.ts';

export async function run(): Promise<void> {
  const figures = JSON.parse(readFileSync(join(import.meta.dirname, 'capacity.json'), 'utf8'));
  for (const [name, part] of Object.entries(describeScale(figures))) console.log(`\n${name}\n\n${part}`);
}
