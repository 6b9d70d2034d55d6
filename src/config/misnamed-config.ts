/** Paths where people put the configuration by mistake. */
const NAMES = [
  '.github/docloom.yaml',
  'docloom.yml',
  'docloom.yaml',
  '.docloom.yml',
  '.docloom.yaml',
  '.github/.docloom.yml',
];

/** A file that seems to be the configuration but has the wrong path, so that it is not read; null for none. */
export function findMisnamedConfig(configFile: string, has: (path: string) => boolean): string | null {
  return has(configFile) ? null : (NAMES.find(has) ?? null);
}
