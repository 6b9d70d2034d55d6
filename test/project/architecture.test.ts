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
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const documented = new Map(
  [...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `(\w+)\/` \| .+ \| (.*) \|$/gm)].map(
    (row) => [
      row[1] as string,
      [...(row[2] as string).matchAll(/`(\w+)`/g)].map((room) => room[1] as string),
    ],
  ),
);

describe('docs/architecture.md', () => {
  it('has one line for each room', () => {
    expect([...documented.keys()].sort()).toEqual([...folders].sort());
  });
});

describe('the rule of the rooms', () => {
  const copy = mkdtempSync(join(tmpdir(), 'docloom-rooms-'));
  afterAll(() => rmSync(copy, { recursive: true }));
  for (const file of ['.dependency-cruiser.js', 'tsconfig.json', 'package.json'])
    cpSync(file, join(copy, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  for (const room of folders) {
    mkdirSync(join(copy, 'src', room), { recursive: true });
    writeFileSync(join(copy, 'src', room, 'door.ts'), 'export type Door = string;\n');
  }

  /** Every room imports every other, in one go; what the rule lets through must be what the page says. */
  it('allows exactly the arrows that the page shows', () => {
    for (const room of folders) {
      const imports = folders
        .filter((other) => other !== room)
        .map((other) => `import type * as ${other} from '../${other}/door.ts';`);
      writeFileSync(
        join(copy, 'src', room, 'all.ts'),
        `${imports.join('\n')}\nexport type All = [${folders.filter((other) => other !== room).join('.Door, ')}.Door];\n`,
      );
    }
    const refused = new Set(cruise(copy).map(({ from, to }) => `${from} → ${to}`));
    for (const room of folders.filter((name) => !['server', 'cli'].includes(name))) {
      for (const other of folders.filter((name) => name !== room)) {
        const allowed = documented.get(room)?.includes(other) ?? false;
        expect(refused.has(`${room} → ${other}`), `${room} → ${other}`).toBe(!allowed);
      }
    }
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
  const room = (path: string) => path.split('/')[1] as string;
  return summary.violations
    .map(({ from, to }) => ({ from: room(from), to: room(to) }))
    .filter(({ from, to }) => from !== to);
}
