import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The sample docs that the demo and the end-to-end tests push. */
export function sampleDocs(): string {
  const folder = fileURLToPath(new URL('../../../fixtures/demo', import.meta.url));
  if (!existsSync(folder))
    throw new Error(`The sample docs are missing at ${folder}: run the demo from a full clone.`);
  return folder;
}
