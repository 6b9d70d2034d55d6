import type { Static } from 'typebox';
import { hintAt, readLanguage } from '../content/text/index.ts';
import type { ConfigFile } from './config-schema.ts';

/** The file as far as it could be read: refused values are absent. */
export type DraftConfig = Draft<Static<typeof ConfigFile>>;
type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<T[Key]> }
    : T;

/** Receives the mistakes that are found. */
export interface ConflictReport {
  /** Reports a mistake at a key of an entry, or at the entry itself. */
  refuse(message: string, entry: object, key?: string): void;
  /** Whether the entry has the key in the file, even if its value was refused. */
  has(entry: object, key: string): boolean;
}

type Refuse = ConflictReport['refuse'];

/** Finds entries that are valid by themselves but contradict each other. */
export function findConflicts(config: DraftConfig, { refuse, has }: ConflictReport): void {
  const { spaces = [], checks, openapi = [], translations = [] } = config;
  refuseOverlaps(spaces, refuse);
  for (const entry of checks?.ignore ?? []) {
    if (!['target', 'file', 'rule'].some((key) => has(entry, key))) {
      refuse('The entry does not say what to ignore. Add `target`, `file` or `rule`.', entry);
    }
  }
  refuseDuplicates(
    openapi,
    'name',
    (name) => `Two specifications have the name \`${name}\`. Each needs its own.`,
    refuse,
  );
  for (const entry of openapi) {
    const [file, url] = [has(entry, 'file'), has(entry, 'url')];
    if (file && url) refuse('The specification has both `file` and `url`. Remove one of them.', entry, 'url');
    if (!file && !url) refuse('The specification has neither `file` nor `url`. Add one of them.', entry);
    for (const key of url ? [] : ['headers', 'schedule']) {
      if (has(entry, key)) refuse(`\`${key}\` is only possible with \`url\`, which is missing.`, entry, key);
    }
  }
  const { discussions } = config.conversations ?? {};
  if (discussions !== undefined && !['labels', 'categories'].some((key) => has(discussions, key)))
    refuse('`discussions` does not say which ones. Add `labels` or `categories`.', discussions);
  const directories = spaces.flatMap(({ directory }) => directory ?? []);
  for (const entry of translations) {
    const { space } = entry;
    if (space === undefined || spaces.length === 0 || directories.includes(space)) continue;
    const known = directories.map((directory) => directory || '.');
    refuse(`No space has the directory \`${space || '.'}\`. ${hintAt(space, known)}`, entry, 'space');
  }
  refuseSameLanguages(translations, refuse);
  refuseSections(config.site?.sections ?? [], directories, refuse);
}

/** The sections of a site name declared spaces, each once; without declared ones, they are known only from the files. */
function refuseSections(
  sections: NonNullable<NonNullable<DraftConfig['site']>['sections']>,
  directories: readonly string[],
  refuse: Refuse,
): void {
  for (const entry of sections) {
    const { directory } = entry;
    if (directory === undefined || directories.length === 0 || directories.includes(directory)) continue;
    const known = directories.map((each) => each || '.');
    refuse(
      `No space has the directory \`${directory || '.'}\`. ${hintAt(directory, known)}`,
      entry,
      'directory',
    );
  }
  refuseDuplicates(
    sections,
    'directory',
    (directory) => `Two sections have the directory \`${directory || '.'}\`. Each needs its own.`,
    refuse,
  );
  refuseDuplicates(
    sections,
    'path',
    (path) => `Two sections have the path \`${path}\`. Each needs its own.`,
    refuse,
  );
}

/** Each space is translated into a language once, and not into its own. */
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
          `The space is already in \`${tag}\`. Remove it, or set \`from\` to the language of the space.`,
          entry,
          'languages',
        );
      else if (seen.has(key))
        refuse(
          `\`${space || '.'}\` is already translated into \`${tag}\`: regions of a language count as the same language.`,
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
    const earlier = spaces
      .slice(0, at)
      .find(
        (candidate) =>
          candidate.branch === space.branch &&
          candidate.directory !== undefined &&
          overlap(candidate.directory, directory),
      );
    if (earlier === undefined) continue;
    const [a, b] = [directory || '.', earlier.directory || '.'];
    const how = a === b ? `\`${a}\` is listed twice` : `\`${a}\` and \`${b}\` overlap`;
    refuse(`${how}: a page can be in one space only.`, space, 'directory');
  }
  refuseDuplicates(
    spaces,
    'title',
    (title) => `Two spaces have the title “${title}”. Each needs its own.`,
    refuse,
  );
  refuseDuplicates(
    spaces,
    'space',
    (id) => `Two entries name the space \`${id}\`. Each needs its own.`,
    refuse,
  );
}

function refuseDuplicates<Key extends string>(
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

/** Whether two folders are the same, or one contains the other. */
export function overlap(a: string, b: string): boolean {
  return a === '' || b === '' || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
