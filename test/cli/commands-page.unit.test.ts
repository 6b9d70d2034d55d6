/** docs/commands.md and the command table say the same. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

const page = readFileSync('docs/commands.md', 'utf8');
const io = { stdout: process.stdout, stderr: process.stderr, env: {}, cwd: '.', signal: AbortSignal.abort() };

const commands = walk(buildProgram(io, () => {}));

/** All commands below this one, by their full names. */
function walk(command: Command, prefix = 'docloom'): { name: string; options: string[] }[] {
  return command.commands.flatMap((child) => {
    const name = `${prefix} ${child.name()}`;
    return [{ name, options: child.options.map((option) => option.long ?? '') }, ...walk(child, name)];
  });
}

function sectionOf(name: string): string {
  return new RegExp(`^#+ ${name}\n([^]*?)(?=^#|(?![^]))`, 'm').exec(page)?.[1] ?? '';
}

describe('docs/commands.md', () => {
  it('has a section for each command and no other', () => {
    const sections = [...page.matchAll(/^##+ (docloom .+)$/gm)].map((match) => match[1]);
    expect(sections.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
  });

  it.each(commands)('documents each option of $name, and no other', ({ name, options }) => {
    const said = [...sectionOf(name).matchAll(/^\| `(--[\w-]+)` \|/gm)].map((match) => match[1]);
    expect(said.toSorted()).toEqual(options.toSorted());
  });
});
