/** CONTRIBUTING.md, "Add an operation", and the areas of the contract and the platform say the same. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Area, operationsByArea } from '../../src/contract/index.ts';
import type { PlatformDeps } from '../../src/platform/index.ts';

const areas = Object.keys(operationsByArea) as Area[];

const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('## Add an operation');
const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, path]) => path as string,
);

describe('the list of files', () => {
  it('names files that an area with a table has', () => {
    expect(listed.length).toBeGreaterThan(10);
    const missing = listed
      .map((path) => path.replaceAll('<area>', 'translations').replaceAll('<resource>', 'translation'))
      .filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });

  it.each(areas)('is where %s has its slots', (area) => {
    const inArea = listed
      .filter((path) => path.includes('<area>'))
      .map((path) => path.replace('<area>', area));
    const handlers = `src/platform/${area}/handlers.ts`;
    const declared = `src/contract/${area}/operations.ts`;
    expect(inArea).toEqual(expect.arrayContaining([declared, handlers]));
    expect([declared, handlers].filter((path) => !existsSync(path))).toEqual([]);
    const shapes = readdirSync(`src/contract/${area}`).filter((name) => name !== 'operations.ts');
    const presenters = readdirSync(`src/platform/${area}`).filter((name) => name.startsWith('present-'));
    if (shapes.length > 0) expect(presenters).not.toEqual([]);
  });
});

describe('the tables of the database', () => {
  it('are exported by src/store/schema/index.ts, from which migrations are generated', () => {
    const files = readdirSync('src/store/schema').filter(
      (name) => !['index.ts', 'columns.ts'].includes(name),
    );
    const index = readFileSync('src/store/schema/index.ts', 'utf8');
    expect(files.filter((name) => !index.includes(`export * from './${name}';`))).toEqual([]);
  });
});

describe('an area', () => {
  it('is each folder of the contract, and each folder of the platform with handlers', () => {
    const folders = (room: string) =>
      readdirSync(`src/${room}`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders('contract').map(({ name }) => name)).toEqual(areas.toSorted());
    const handled = folders('platform').filter(({ name }) => existsSync(`src/platform/${name}/handlers.ts`));
    expect(handled.map(({ name }) => name)).toEqual(areas.toSorted());
  });

  it.each(areas)('%s handles its own operations', async (area) => {
    const module = await import(`../../src/platform/${area}/handlers.ts`);
    const [create] = Object.values(module) as ((deps: Partial<PlatformDeps>) => object)[];
    expect(Object.keys(create?.({ publicUrl: 'http://docs.example' }) ?? {})).toEqual(
      expect.arrayContaining(Object.keys(operationsByArea[area])),
    );
  });
});
