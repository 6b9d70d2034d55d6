import type { FilesRead, TableRow } from '../format-port/index.ts';
import type { TreeEntry } from '../model/index.ts';

/** Tables of a single tree, for callers that never see a later one. */
export function tablesOfEntries(entries: readonly TreeEntry[]): Pick<FilesRead, 'table'> {
  return {
    table<Row>(_name: string, rowsOf: Parameters<FilesRead['table']>[1]) {
      const groups = new Map<string, TableRow<Row>[]>();
      for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
        for (const [key, value] of rowsOf(entry)) {
          const row = { file: entry.path, value: value as Row };
          const group = groups.get(key);
          if (group === undefined) groups.set(key, [row]);
          else group.push(row);
        }
      }
      return { rows: (key: string) => groups.get(key) ?? [] };
    },
  };
}
