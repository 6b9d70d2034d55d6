/** Where people put the configuration by mistake. */
const NAMES = [
  '.github/docloom.yaml',
  'docloom.yml',
  'docloom.yaml',
  '.docloom.yml',
  '.docloom.yaml',
  '.github/.docloom.yml',
];

/** The file that is meant to be the configuration and is not read, since its name is another; null for none. */
export function findMisnamedConfig(configFile: string, has: (path: string) => boolean): string | null {
  return has(configFile) ? null : (NAMES.find(has) ?? null);
}
