import type { CommandIo } from './command.ts';

/** Prints rows of cells as a table, the first row as its header. Columns of numbers are right-aligned. */
export function printTable(
  stdout: CommandIo['stdout'],
  rows: readonly (readonly (string | number)[])[],
): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const isNumber = rows.at(-1)?.map((cell) => typeof cell === 'number');
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      isNumber?.[column]
        ? String(cell).padStart(widths?.[column] ?? 0)
        : String(cell).padEnd(widths?.[column] ?? 0),
    );
    stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
