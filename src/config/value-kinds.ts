import { knownRules } from '../content/model/index.ts';
import { compileGlob, hintAt, readLanguage } from '../content/text/index.ts';
import { isSchedule } from './is-schedule.ts';
import { readDirectory } from './read-directory.ts';

/** The value to use, or a sentence that names the key and says what is wrong. */
export type ReadValue = { readonly value: string } | { readonly problem: string };

export type ValueKind = keyof typeof valueKinds;

/** What strings of the configuration may be, beyond their length. */
const valueKinds = {
  line: (value, key) => (/\p{Cc}/u.test(value) ? refuse(key, 'contains control characters.') : { value }),
  prose: (value, key) =>
    /[^\P{Cc}\n\r\t]/u.test(value) ? refuse(key, 'contains control characters.') : { value },
  // GitHub’s API separates labels by commas.
  label: (value, key) =>
    /[\p{Cc},]/u.test(value) ? refuse(key, 'contains a comma or control characters.') : { value },
  directory: (value, key) => {
    const read = readDirectory(value, key);
    return 'problem' in read ? read : { value: read.directory };
  },
  path: (value, key) => {
    const read = readDirectory(value, key);
    if ('problem' in read) return read;
    return read.directory === ''
      ? refuse(key, 'must name a file of the repository.')
      : { value: read.directory };
  },
  branch: (value, key) => (isBranch(value) ? { value } : refuse(key, 'is not a valid branch name in git.')),
  'branch-template': (value, key) =>
    readTemplate(value, key, ['space']) ??
    (isBranch(value.replaceAll('{space}', 'space'))
      ? { value }
      : refuse(key, 'is not a valid branch name in git.')),
  'message-template': (value, key) =>
    readTemplate(value, key, ['space', 'directory', 'change', 'author']) ?? { value },
  'site-title': (value, key) =>
    /\p{Cc}/u.test(value)
      ? refuse(key, 'contains control characters.')
      : value.length < 2
        ? refuse(key, 'must have at least two characters.')
        : { value },
  'site-path': (value, key) =>
    /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(value)
      ? { value }
      : refuse(key, 'must be letters, digits, `-`, `.` and `_`, with a letter or digit first.'),
  color: (value, key) =>
    /^#(?:[0-9a-f]{3}){1,2}$/i.test(value)
      ? { value }
      : refuse(key, 'must be a color such as `#06c` or `#0066cc`, in quotes.'),
  'web-address': (value, key) => readWebAddress(value, key),
  'space-id': (value, key) =>
    /^[\w-]+$/.test(value)
      ? { value }
      : refuse(key, 'must be the id of a space: letters, digits, `-` and `_`.'),
  rule: (value) => {
    if (knownRules.some(compileGlob(value))) return { value };
    return { problem: `There is no rule \`${value}\`. ${hintAt(value, knownRules)}` };
  },
  day: (value, key) => (isDay(value) ? { value } : refuse(key, 'must be a day, such as 2030-12-31.')),
  slug: (value, key) =>
    /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/.test(value)
      ? { value }
      : refuse(key, 'must be letters and digits, with single `-` between them.'),
  url: (value, key) => readUrl(value, key),
  schedule: (value, key) => readSchedule(value, key),
  'schedule-or-off': (value, key) => (value === 'off' ? { value } : readSchedule(value, key)),
  'secret-name': (value, key) =>
    /^[A-Z][A-Z0-9_]*$/.test(value)
      ? { value }
      : refuse(key, 'must be the name of a secret (capital letters, digits, `_`), never the secret itself.'),
  glossary: (value, key) => {
    const read = readDirectory(value, key);
    if ('problem' in read) return read;
    return /\.(?:ya?ml|csv)$/i.test(read.directory)
      ? { value: read.directory }
      : refuse(key, 'must name a file of the repository that ends with `.yml`, `.yaml` or `.csv`.');
  },
  language: (value, key) => readLanguageTag(value, key),
  'time-zone': (value, key) =>
    isTimeZone(value) ? { value } : refuse(key, 'must be a time zone, such as `UTC` or `Europe/Berlin`.'),
} as const satisfies Record<string, (value: string, key: string) => ReadValue>;

/** Reads a string that was written for a key. */
export function readValue(kind: ValueKind, value: string, key: string): ReadValue {
  return valueKinds[kind](value, key);
}

function refuse(key: string, problem: string): { readonly problem: string } {
  return { problem: `\`${key}\` ${problem}` };
}

/** https://git-scm.com/docs/git-check-ref-format */
function isBranch(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git does not allow them in names.
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
function readTemplate(value: string, key: string, names: readonly string[]): { problem: string } | null {
  for (const [, name = ''] of value.matchAll(/\{([^{}]*)\}/g)) {
    if (!names.includes(name)) return refuse(key, `does not know \`{${name}}\`. ${hintAt(name, names)}`);
  }
  return null;
}

function readUrl(value: string, key: string): ReadValue {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || url.protocol !== 'https:') return refuse(key, 'must be an https address.');
  if (url.username !== '' || url.password !== '')
    return refuse(key, 'must not contain credentials. Name a secret in `headers` instead.');
  return { value };
}

/** One that the pages of a site link to. */
function readWebAddress(value: string, key: string): ReadValue {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && !/[\s"'<>\\]/.test(value)
    ? { value }
    : refuse(key, 'must be an https address without a user name.');
}

function readSchedule(value: string, key: string): ReadValue {
  return isSchedule(value)
    ? { value }
    : refuse(
        key,
        'must be `hourly`, `daily`, `weekly`, `monthly`, or five fields of cron such as `0 4 * * 1`.',
      );
}

function readLanguageTag(tag: string, key: string): ReadValue {
  try {
    const [value] = Intl.getCanonicalLocales(tag);
    if (value !== undefined) {
      const read = readLanguage(value);
      return 'problem' in read ? read : { value };
    }
  } catch {
    // Reported below.
  }
  return refuse(key, 'must be a language tag, such as `de` or `pt-BR`.');
}

function isTimeZone(value: string): boolean {
  // `Intl` also accepts offsets such as `+02:00`, which have no daylight saving time.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
