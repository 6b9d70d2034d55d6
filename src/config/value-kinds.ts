import { knownRules } from '../content/model/index.ts';
import { compileGlob, hintAt, readLanguage } from '../content/text/index.ts';
import { isSchedule } from './is-schedule.ts';
import { readDirectory } from './read-directory.ts';

/** The value to use for what was written, or what is wrong with it: a sentence that `key` stands in. */
export type ReadValue = { readonly value: string } | { readonly problem: string };

export type ValueKind = keyof typeof valueKinds;

/** What texts of the configuration may be, beyond their length. */
const valueKinds = {
  line: (said, key) => (/\p{Cc}/u.test(said) ? refuse(key, 'holds control characters.') : { value: said }),
  prose: (said, key) =>
    /[^\P{Cc}\n\r\t]/u.test(said) ? refuse(key, 'holds control characters.') : { value: said },
  directory: (said, key) => {
    const read = readDirectory(said, key);
    return 'problem' in read ? read : { value: read.directory };
  },
  path: (said, key) => {
    const read = readDirectory(said, key);
    if ('problem' in read) return read;
    return read.directory === ''
      ? refuse(key, 'must name a file of the repository.')
      : { value: read.directory };
  },
  branch: (said, key) =>
    isBranch(said) ? { value: said } : refuse(key, 'is no name that git allows a branch.'),
  'branch-template': (said, key) =>
    readTemplate(said, key, ['space']) ??
    (isBranch(said.replaceAll('{space}', 'space'))
      ? { value: said }
      : refuse(key, 'is no name that git allows a branch.')),
  'message-template': (said, key) =>
    readTemplate(said, key, ['space', 'directory', 'change', 'author']) ?? { value: said },
  'space-id': (said, key) =>
    /^[\w-]+$/.test(said)
      ? { value: said }
      : refuse(key, 'must be the id of a space: letters, digits, `-` and `_`.'),
  rule: (said) => {
    if (knownRules.some(compileGlob(said))) return { value: said };
    return { problem: `There is no rule \`${said}\`. ${hintAt(said, knownRules)}` };
  },
  day: (said, key) => (isDay(said) ? { value: said } : refuse(key, 'must be a day, such as 2030-12-31.')),
  slug: (said, key) =>
    /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/.test(said)
      ? { value: said }
      : refuse(key, 'must be letters and digits, with single `-` between them.'),
  url: (said, key) => readUrl(said, key),
  schedule: (said, key) => readSchedule(said, key),
  'schedule-or-off': (said, key) => (said === 'off' ? { value: said } : readSchedule(said, key)),
  'secret-name': (said, key) =>
    /^[A-Z][A-Z0-9_]*$/.test(said)
      ? { value: said }
      : refuse(key, 'must be the name of a secret (capital letters, digits, `_`), never the secret itself.'),
  glossary: (said, key) => {
    const read = readDirectory(said, key);
    if ('problem' in read) return read;
    return /\.(?:ya?ml|csv)$/i.test(read.directory)
      ? { value: read.directory }
      : refuse(key, 'must name a file of the repository that ends with `.yml`, `.yaml` or `.csv`.');
  },
  language: (said, key) => readTag(said, key),
  'time-zone': (said, key) =>
    isTimeZone(said)
      ? { value: said }
      : refuse(key, 'must be a time zone, such as `UTC` or `Europe/Berlin`.'),
} as const satisfies Record<string, (said: string, key: string) => ReadValue>;

/** Reads a text that was written for a key. */
export function readValue(kind: ValueKind, said: string, key: string): ReadValue {
  return valueKinds[kind](said, key);
}

function refuse(key: string, problem: string): { readonly problem: string } {
  return { problem: `\`${key}\` ${problem}` };
}

/** https://git-scm.com/docs/git-check-ref-format */
function isBranch(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git allows none in names.
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^[-/]|\/$/.test(name) || name === '@') return false;
  if (name.startsWith('refs/')) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Null when every `{name}` is known. */
function readTemplate(said: string, key: string, names: readonly string[]): { problem: string } | null {
  for (const [, name = ''] of said.matchAll(/\{([^{}]*)\}/g)) {
    if (!names.includes(name)) return refuse(key, `does not know \`{${name}}\`. ${hintAt(name, names)}`);
  }
  return null;
}

function readUrl(said: string, key: string): ReadValue {
  const url = URL.canParse(said) ? new URL(said) : null;
  if (url === null || url.protocol !== 'https:') return refuse(key, 'must be an https address.');
  if (url.username !== '' || url.password !== '')
    return refuse(key, 'may not hold credentials. Name a secret in `headers` in place of them.');
  return { value: said };
}

function readSchedule(said: string, key: string): ReadValue {
  return isSchedule(said)
    ? { value: said }
    : refuse(
        key,
        'must be `hourly`, `daily`, `weekly`, `monthly`, or five fields of cron such as `0 4 * * 1`.',
      );
}

function readTag(said: string, key: string): ReadValue {
  try {
    const [value] = Intl.getCanonicalLocales(said);
    if (value !== undefined) {
      const read = readLanguage(value);
      return 'problem' in read ? read : { value };
    }
  } catch {
    // Told below.
  }
  return refuse(key, 'must be a language tag, such as `de` or `pt-BR`.');
}

function isTimeZone(said: string): boolean {
  // Offsets such as `+02:00` are taken too, and know no summer time.
  if (!/^[A-Za-z]/.test(said)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: said });
    return true;
  } catch {
    return false;
  }
}
