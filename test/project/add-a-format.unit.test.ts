/** CONTRIBUTING.md, “Add a format”, the README of the formats and their folders say the same. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/content/formats/index.ts';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const readme = readFileSync('src/content/formats/README.md', 'utf8');

/** The files in the first column of a section's table. */
function filesOf(text: string, heading: string): readonly string[] {
  const section = text.split(new RegExp(`^## ${heading}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map((row) => row[1] ?? '');
}

const listed = filesOf(contributing, 'Add a format');
const slots = filesOf(readme, 'The files of a folder');
const names = formats.map(({ name }) => name);

describe('“Add a format”', () => {
  it('lists files', () => {
    expect(listed.length).toBeGreaterThan(5);
    expect(slots.length).toBeGreaterThan(5);
  });

  it.each(names)('%s has each file of the list', (name) => {
    // The tables of verdicts of older formats have names of their own.
    const files = listed.filter((file) => !file.endsWith('/links.yaml'));
    expect(files.map((file) => file.replaceAll('<name>', name)).filter((file) => !existsSync(file))).toEqual(
      [],
    );
  });

  it.each(names)('%s has the files of a folder under the names that the README has', (name) => {
    const known = slots.map((slot) => slot.replaceAll('<name>', name));
    const kinds = known.map((file) => file.slice(name.length + 1));
    const files = readdirSync(`src/content/formats/${name}`);
    expect(files).toEqual(expect.arrayContaining([`${name}-format.ts`, `${name}-rules.ts`]));
    // What is named as another folder's file of this kind is, is named so here.
    expect(files.filter((file) => kinds.includes(file))).toEqual([]);
    const row = formats.find((one) => one.name === name);
    expect(files.includes(`${name}-dialect.ts`)).toBe(row?.loadDialect !== undefined);
    expect(files.includes(`${name}-moves.ts`)).toBe(row?.loadMoves !== undefined);
  });

  it('has a folder for each row and a row for each folder', () => {
    const folders = readdirSync('src/content/formats', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'script-config')
      .map((entry) => entry.name);
    expect(folders.sort()).toEqual([...names].sort());
  });

  it('describes each format in docs/formats.md, in the order of the rows or another', () => {
    const headings = [...readFileSync('docs/formats.md', 'utf8').matchAll(/^## ([a-z]+)$/gm)].map(
      (one) => one[1],
    );
    expect(headings.sort()).toEqual([...names].sort());
  });
});
