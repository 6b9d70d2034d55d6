import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { formats } from '../../src/content/formats/index.ts';
import type { FormatName } from '../../src/content/index.ts';

const folder = new URL('../../fixtures/content/', import.meta.url);

/** Each format has a folder of tables: `pages.yaml`, `detection.yaml`, and verdicts in all other files. */
const kinds = ['pages.yaml', 'detection.yaml'] as const;
type Kind = (typeof kinds)[number];

/** The verdict tables of all formats. */
export function verdictTables<Table>(): readonly (readonly [string, FormatName, Table])[] {
  return tables((name) => !kinds.some((kind) => kind === name));
}

/** The rows of all formats' tables of one kind. */
export function rowsOf<Row>(kind: Kind): readonly (readonly [string, FormatName, Row])[] {
  return tables<readonly (Row & { readonly name: string })[]>((name) => name === kind).flatMap(
    ([, format, rows]) => rows.map((row) => [`${format}: ${row.name}`, format, row] as const),
  );
}

function tables<Table>(wanted: (name: string) => boolean): readonly (readonly [string, FormatName, Table])[] {
  return formats.flatMap(({ name: format }) => {
    const own = new URL(`${format}/`, folder);
    if (!existsSync(own)) return [];
    return readdirSync(own)
      .filter(wanted)
      .map((name) => [`${format}/${name}`, format, parse(readFileSync(new URL(name, own), 'utf8'))] as const);
  });
}
