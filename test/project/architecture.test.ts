/** docs/architecture.md, the lint rule and the folders of src/ say the same. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testAtLength } from '../support/describe-at-length.ts';

const foldersOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

const page = readFileSync('docs/architecture.md', 'utf8');
const rooms = foldersOf('src');
const documented = new Map(
  [...page.matchAll(/^\| `(\w+)\/` \| .+ \| (.*) \|$/gm)].map((row) => [
    row[1] as string,
    [...(row[2] as string).matchAll(/`(\w+)`/g)].map((room) => room[1] as string),
  ]),
);
/** Those of `content/`, from the bottom up, as the page has them. */
const aboutContent = page.split(/^## /m).find((part) => part.startsWith('The layers of `content/`')) ?? '';
const layers = [...aboutContent.matchAll(/^\d+\. `([\w-]+)\/`: /gm)].map((line) => line[1] as string);

describe('docs/architecture.md', () => {
  it('has one line for each room', () => {
    expect([...documented.keys()].sort()).toEqual([...rooms].sort());
  });

  it('draws the arrows of its table', () => {
    const drawn = [...page.matchAll(/^ {2}(\w+) --> ([\w &]+)$/gm)].map(
      (line) => [line[1], (line[2] as string).split(' & ').sort()] as const,
    );
    const listed = [...documented].filter(([, uses]) => uses.length > 0);
    expect(new Map(drawn)).toEqual(new Map(listed.map(([room, uses]) => [room, uses.toSorted()])));
  });

  it('has one line for each layer of content', () => {
    expect([...layers].sort()).toEqual(foldersOf('src/content').sort());
  });
});

describe('the rules of npm run lint', () => {
  const copy = mkdtempSync(join(tmpdir(), 'docloom-rooms-'));
  afterAll(() => rmSync(copy, { recursive: true }));
  for (const file of ['.dependency-cruiser.js', 'tsconfig.json', 'package.json'])
    cpSync(file, join(copy, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  const folders = [...rooms, ...layers.map((layer) => `content/${layer}`)];
  for (const folder of folders) {
    mkdirSync(join(copy, 'src', folder), { recursive: true });
    for (const file of ['index.ts', 'inner.ts'])
      writeFileSync(join(copy, 'src', folder, file), 'export type Name = string;\n');
  }

  /** Each folder imports a file of every other, in one go; what is refused is said as `from → to`. */
  const refusedAmong = (names: readonly string[], file: string): ReadonlySet<string> => {
    for (const name of names) {
      const others = names.filter((other) => other !== name);
      const up = '../'.repeat(name.split('/').length);
      const imports = others.map((other, at) => `import type * as n${at} from '${up}${other}/${file}';`);
      const types = others.map((_, at) => `n${at}.Name`);
      writeFileSync(
        join(copy, 'src', name, 'all.ts'),
        `${imports.join('\n')}\nexport type All = [${types.join(', ')}];\n`,
      );
    }
    const refused = cruise(copy).map(({ from, to }) => `${dirname(from)} → ${dirname(to)}`);
    for (const name of names) rmSync(join(copy, 'src', name, 'all.ts'));
    return new Set(refused.map((arrow) => arrow.replaceAll('src/', '')));
  };

  it('allow exactly the arrows between rooms that the page shows', () => {
    const refused = refusedAmong(rooms, 'index.ts');
    for (const room of rooms.filter((name) => !['server', 'cli'].includes(name))) {
      for (const other of rooms.filter((name) => name !== room)) {
        const allowed = documented.get(room)?.includes(other) ?? false;
        expect(refused.has(`${room} → ${other}`), `${room} → ${other}`).toBe(!allowed);
      }
    }
  });

  testAtLength('let a layer of content import the layers below it', () => {
    const refused = refusedAmong(
      layers.map((layer) => `content/${layer}`),
      'index.ts',
    );
    for (const [at, layer] of layers.entries()) {
      for (const [place, other] of layers.entries()) {
        if (at === place) continue;
        const arrow = `content/${layer} → content/${other}`;
        expect(refused.has(arrow), arrow).toBe(place > at);
      }
    }
  });

  testAtLength('refuse every inner file of a room or a layer to outsiders', () => {
    const inRooms = refusedAmong(rooms, 'inner.ts');
    const inLayers = refusedAmong(
      layers.map((layer) => `content/${layer}`),
      'inner.ts',
    );
    const arrows = (names: readonly string[]) =>
      names.flatMap((name) => names.flatMap((other) => (other === name ? [] : [`${name} → ${other}`])));
    expect(arrows(rooms).filter((arrow) => !arrow.endsWith('→ cli') && !inRooms.has(arrow))).toEqual([]);
    expect(arrows(layers.map((layer) => `content/${layer}`)).filter((arrow) => !inLayers.has(arrow))).toEqual(
      [],
    );
  });

  it('refuse a circle of type imports', () => {
    const folder = join(copy, 'src/openapi');
    writeFileSync(join(folder, 'a.ts'), "import type { B } from './b.ts';\nexport type A = B | null;\n");
    writeFileSync(join(folder, 'b.ts'), "import type { A } from './a.ts';\nexport type B = A[];\n");
    const refused = cruise(copy).map(({ from, to }) => `${from} → ${to}`);
    // A circle is named once.
    expect(refused).toEqual(['src/openapi/a.ts → src/openapi/b.ts']);
  });
});

function cruise(directory: string): { from: string; to: string }[] {
  const command = join(process.cwd(), 'node_modules/.bin/depcruise');
  let output: string;
  try {
    output = execFileSync(command, ['--config', '.dependency-cruiser.js', '--output-type', 'json', 'src'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 << 20,
    });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; to: string }[] } };
  return summary.violations;
}
