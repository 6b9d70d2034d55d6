import type { Static } from 'typebox';
import { hintAt, readLanguage } from '../content/text/index.ts';
import type { ConfigFile } from './config-schema.ts';

/** The file as far as it could be read: whatever was refused is not there. */
export type DraftConfig = Draft<Static<typeof ConfigFile>>;
type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<T[Key]> }
    : T;

/** How mistakes are told. */
export interface ConflictReport {
  /** Notes one at a key of an entry, or at the entry. */
  refuse(message: string, entry: object, key?: string): void;
  /** Whether the entry has the key in the file, also where its value was refused. */
  has(entry: object, key: string): boolean;
}

type Refuse = ConflictReport['refuse'];

/** Looks for entries that are well by themselves, and cannot stand together. */
export function findConflicts(config: DraftConfig, { refuse, has }: ConflictReport): void {
  const { spaces = [], checks, openapi = [], translations = [] } = config;
  refuseOverlaps(spaces, refuse);
  for (const entry of checks?.ignore ?? []) {
    if (!['target', 'file', 'rule'].some((key) => has(entry, key))) {
      refuse('The entry says nothing of what to ignore: give `target`, `file` or `rule`.', entry);
    }
  }
  refuseTwins(
    openapi,
    'name',
    (name) => `Two specifications have the name \`${name}\`. Give each its own.`,
    refuse,
  );
  for (const entry of openapi) {
    const [file, url] = [has(entry, 'file'), has(entry, 'url')];
    if (file && url) refuse('Give `file` or `url`, not both.', entry, 'url');
    if (!file && !url) refuse('Where is the specification? Give `file` or `url`.', entry);
    for (const key of url ? [] : ['headers', 'schedule']) {
      if (has(entry, key)) refuse(`\`${key}\` belongs to a \`url\`, and none is given.`, entry, key);
    }
  }
  const directories = spaces.flatMap(({ directory }) => directory ?? []);
  for (const entry of translations) {
    const { space } = entry;
    if (space === undefined || spaces.length === 0 || directories.includes(space)) continue;
    const known = directories.map((one) => one || '.');
    refuse(`No space has the directory \`${space || '.'}\`. ${hintAt(space, known)}`, entry, 'space');
  }
  refuseSameLanguages(translations, refuse);
}

/** Each space is kept in a language once, and not in its own. */
function refuseSameLanguages(translations: NonNullable<DraftConfig['translations']>, refuse: Refuse): void {
  const seen = new Set<string>();
  for (const entry of translations) {
    const { space, from, languages = [] } = entry;
    const source = from === undefined ? undefined : nameOf(from);
    for (const tag of languages) {
      const language = tag === undefined ? undefined : nameOf(tag);
      if (language === undefined || space === undefined) continue;
      const key = `${language} ${space}`;
      if (language === source)
        refuse(
          `The space is in \`${tag}\` already. Take it out, or say in \`from\` what it is in.`,
          entry,
          'languages',
        );
      else if (seen.has(key))
        refuse(
          `\`${space || '.'}\` is translated into \`${tag}\` already: regions of a language are one.`,
          entry,
          'languages',
        );
      seen.add(key);
    }
  }
}

function nameOf(tag: string): string | undefined {
  const read = readLanguage(tag);
  return 'problem' in read ? undefined : read.language;
}

function refuseOverlaps(spaces: NonNullable<DraftConfig['spaces']>, refuse: Refuse): void {
  for (const [at, space] of spaces.entries()) {
    const { directory } = space;
    if (directory === undefined) continue;
    const other = spaces
      .slice(0, at)
      .find(
        (one) =>
          one.branch === space.branch && one.directory !== undefined && overlap(one.directory, directory),
      );
    if (other === undefined) continue;
    const [a, b] = [directory || '.', other.directory || '.'];
    const how = a === b ? `\`${a}\` is listed twice` : `\`${a}\` and \`${b}\` overlap`;
    refuse(`${how}: a page can be in one space only.`, space, 'directory');
  }
  refuseTwins(spaces, 'title', (title) => `Two spaces have the title “${title}”. Give each its own.`, refuse);
  refuseTwins(spaces, 'space', (id) => `Two entries name the space \`${id}\`. Each needs its own.`, refuse);
}

function refuseTwins<Key extends string>(
  entries: readonly { readonly [K in Key]?: string }[],
  key: Key,
  describe: (value: string) => string,
  refuse: Refuse,
): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    const value = entry[key];
    if (value === undefined) continue;
    if (seen.has(value)) refuse(describe(value), entry, key);
    seen.add(value);
  }
}

/** Whether one folder is the other, or holds it. */
export function overlap(a: string, b: string): boolean {
  return a === '' || b === '' || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
