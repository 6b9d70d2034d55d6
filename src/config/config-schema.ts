import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { IgnoreRule } from '../content/ignore/index.ts';
import {
  formatNames,
  knownRules,
  type Rule,
  type WarningRule,
  warningRules,
} from '../content/model/index.ts';
import { breakingChangesModes } from '../content/report/index.ts';
import type { ValueKind } from './value-kinds.ts';

/**
 * The configuration file `docloom.yml`, declared once: the parser with its messages, the types, the JSON Schema for
 * editors and the table in the documentation are derived from it. A key with a `default` may be left out and then has that
 * value. `reads` names what a string must be, beyond its length.
 */

/** The maximum number of spaces of one repository. */
export const MAX_SPACES = 50;

/** The maximum size of a configuration file, in bytes. */
export const MAX_CONFIG_BYTES = 64 * 1024;

/** In UTF-16 code units. */
export const MAX_TITLE_LENGTH = 100;

/** The maximum number of entries of `checks.ignore`. */
export const MAX_IGNORES = 500;

/** Of one pattern, reason, path or URL, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 500;

/** The maximum number of entries of `openapi` and of `translations`, and of languages of one translation. */
export const MAX_ENTRIES = 100;

const strict = { additionalProperties: false } as const;

function text(
  description: string,
  more: { readonly reads?: ValueKind; readonly max?: number; readonly default?: string } = {},
) {
  const { reads = 'line', max = MAX_PATTERN_LENGTH, ...rest } = more;
  return Type.String({ minLength: 1, maxLength: max, description, reads, ...rest });
}

/** A mapping that may be left out as a whole. */
function section<P extends TProperties>(properties: P, description: string) {
  return Type.Object(properties, { ...strict, default: {}, description });
}

function list<S extends TSchema>(items: S, description: string, maxItems = MAX_ENTRIES) {
  return Type.Array(items, { default: [], maxItems, description });
}

export const SpaceEntry = Type.Object(
  {
    directory: text('a folder, from the root of the repository; `.` for the root itself', {
      reads: 'directory',
      max: 1_000,
    }),
    title: Type.Optional(
      text(
        'the title of the space on the platform, and its name in the commit status; the folder’s name, or for the root the repository’s, when left out',
        { max: MAX_TITLE_LENGTH },
      ),
    ),
    format: Type.Optional(
      Type.Enum([...formatNames], {
        description: 'what builds the docs; detected from the files of the repository when left out',
      }),
    ),
    branch: Type.Optional(
      text('the branch that the space shows; the default branch when left out', {
        reads: 'branch',
        max: 244,
      }),
    ),
    direction: Type.Enum(['import', 'export', 'both'], {
      default: 'import',
      description:
        '`import` brings pushes to the space, `export` brings changes of the space to the branch, `both` does both',
    }),
    space: Type.Optional(
      text('the id of an existing space; the App creates one when left out', {
        reads: 'space-id',
        max: 100,
      }),
    ),
  },
  { ...strict, title: 'space', examples: [{ directory: 'docs', title: 'Docs' }] },
);

export const IgnoreEntry = Type.Object(
  {
    target: Type.Optional(text('a pattern for the destination, as it is written in the page')),
    file: Type.Optional(text('a pattern for the path of the page, from the root of the repository')),
    rule: Type.Optional(
      text('the rule that the link breaks, or a pattern such as `missing-*`', { reads: 'rule' }),
    ),
    reason: text('why the link may stay broken'),
    until: Type.Optional(
      text(
        'the last day on which the entry is valid, such as `2030-12-31`; it is always valid when left out',
        {
          reads: 'day',
        },
      ),
    ),
  },
  {
    ...strict,
    title: 'entry',
    examples: [{ target: 'legacy/**', reason: 'These pages move here in spring.' }],
    anyOf: [{ required: ['target'] }, { required: ['file'] }, { required: ['rule'] }],
  },
);

/** The severities that a rule can have; a warning can only be turned off. */
const severityOf = (rule: string) =>
  warningRules.has(rule) ? Type.Enum(['warning', 'off']) : Type.Enum(['error', 'warning', 'off']);

type Severities = Partial<Record<Rule, 'error' | 'warning' | 'off'> & Record<WarningRule, 'warning' | 'off'>>;

const Checks = section(
  {
    'fail-on': Type.Enum(['introduced', 'any', 'never'], {
      default: 'introduced',
      description:
        'which broken links fail a pull request: those that it `introduced`, `any` broken link, or none (`never`)',
    }),
    'lost-addresses': Type.Enum(['report', 'fail', 'off'], {
      default: 'report',
      description:
        'addresses of pages that a change removes without a redirect: `report` them, `fail` the pull request, or `off`',
    }),
    runs: Type.Enum(['one', 'per-space'], {
      default: 'one',
      description: '`one` check run for all spaces, or one for each (`per-space`)',
    }),
    previews: Type.Enum(['branches', 'all', 'off'], {
      default: 'branches',
      description:
        'which pull requests get a preview: those of the repository’s own `branches`, `all` (those of forks too), or none (`off`)',
    }),
    rules: Type.Unsafe<Severities>(
      Type.Object(Object.fromEntries(knownRules.map((rule) => [rule, Type.Optional(severityOf(rule))])), {
        ...strict,
        default: {},
        description:
          'by [rule](link-checks.md#verdicts): `error` (counts as broken), `warning` (`docloom check` reports it, but it fails nothing) or `off`',
        examples: [{ 'missing-anchor': 'warning' }],
      }),
    ),
    ignore: list(
      IgnoreEntry,
      'broken links that do not count: see [Link checks](link-checks.md#ignoring-a-link)',
      MAX_IGNORES,
    ),
  },
  'how pull requests are checked',
);

const Exports = section(
  {
    mode: Type.Enum(['pull-request', 'direct'], {
      default: 'pull-request',
      description: 'one `pull-request` that is updated, or `direct` commits to the branch',
    }),
    branch: text('the branch of that pull request, with `{space}` for the space’s title', {
      reads: 'branch-template',
      default: 'docloom/{space}',
      max: 200,
    }),
    message: text('the commit’s message, with `{space}`, `{directory}`, `{change}` and `{author}`', {
      reads: 'message-template',
      default: 'docs: {change}',
      max: 5_000,
    }),
    'sign-off': Type.Boolean({ default: false, description: 'whether commits end with `Signed-off-by:`' }),
    'mirror-comments': Type.Boolean({
      default: false,
      description:
        'whether comments on the change requests that a pull request carries are [mirrored](review.md#comments-on-pull-requests) there, and those on its lines here',
    }),
  },
  'how changes of a space are written to its branch',
);

export const OpenApiEntry = Type.Object(
  {
    name: text('the slug of the specification in the organization', { reads: 'slug', max: 100 }),
    file: Type.Optional(
      text('the specification’s file in the repository; it is uploaded again when it changes', {
        reads: 'path',
      }),
    ),
    url: Type.Optional(
      text('its https address, instead of `file`; it is fetched again on the schedule', {
        reads: 'url',
        max: 2_048,
      }),
    ),
    schedule: text('when `url` is fetched again', { reads: 'schedule', default: 'daily' }),
    headers: Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
      text('the name of a secret', { reads: 'secret-name', max: 100 }),
      {
        default: {},
        maxProperties: 20,
        description: 'headers to send to `url`, each with the name of the secret that contains its value',
        examples: [{ Authorization: 'PETSTORE_TOKEN' }],
      },
    ),
    'breaking-changes': Type.Enum([...breakingChangesModes], {
      default: 'fail',
      description:
        'what a [breaking change](openapi.md#what-breaks-clients) of `file` does to a pull request: `fail` its check, `warn` (the check is neutral), or `off` (it is not reported); the setting of the default branch applies',
    }),
  },
  {
    ...strict,
    title: 'specification',
    examples: [{ name: 'petstore', file: 'api/openapi.yaml' }],
    oneOf: [{ required: ['file'] }, { required: ['url'] }],
  },
);

export const TranslationEntry = Type.Object(
  {
    space: text('the `directory` of the space that is translated', { reads: 'directory', max: 1_000 }),
    from: text('its language', { reads: 'language', default: 'en', max: 35 }),
    languages: Type.Array(text('a language, such as `de` or `pt-BR`', { reads: 'language', max: 35 }), {
      minItems: 1,
      maxItems: MAX_ENTRIES,
      description: 'the languages to translate into, such as `[de, pt-BR]`',
      examples: [['de', 'pt-BR']],
    }),
    provider: Type.Enum(['pseudo', 'openai', 'deepl', 'libretranslate'], {
      default: 'pseudo',
      description: 'the translation service; `pseudo` only marks the text, to test layout and links',
    }),
    schedule: Type.Optional(
      text('when it is translated again; after each change of the space when left out', {
        reads: 'schedule',
      }),
    ),
    glossary: Type.Optional(
      text(
        'a file of the repository with [terms and their translations](translations.md#a-glossary-in-the-repository), `.yml` or `.csv`',
        { reads: 'glossary' },
      ),
    ),
    instructions: Type.Optional(text('instructions for the translator', { reads: 'prose', max: 5_000 })),
  },
  { ...strict, title: 'translation', examples: [{ space: 'docs', languages: ['de'] }] },
);

const ExternalLinks = section(
  {
    schedule: text('when external links are checked', { reads: 'schedule-or-off', default: 'weekly' }),
    issue: Type.Boolean({
      default: false,
      description: 'whether an issue in the repository lists the dead ones',
    }),
  },
  'external links; they never fail a pull request',
);

/** The maximum number of labels and of categories. */
export const MAX_LABELS = 20;

const named = (what: string) =>
  text(`the name of a ${what}`, { reads: what === 'label' ? 'label' : 'line', max: 100 });

const Conversations = Type.Object(
  {
    issues: Type.Optional(
      Type.Object(
        {
          labels: Type.Array(named('label'), {
            minItems: 1,
            maxItems: MAX_LABELS,
            description: 'issues with one of these labels, such as `[question]`, become conversations',
            examples: [['question']],
          }),
        },
        {
          ...strict,
          description: 'issues that become conversations; none when left out',
          examples: [{ labels: ['question'] }],
        },
      ),
    ),
    discussions: Type.Optional(
      Type.Object(
        {
          labels: list(
            named('label'),
            'discussions with one of these labels become conversations',
            MAX_LABELS,
          ),
          categories: list(
            named('category'),
            'discussions of one of these categories, such as `[Q&A]`, become conversations',
            MAX_LABELS,
          ),
        },
        {
          ...strict,
          description:
            'discussions that become conversations, by `labels`, `categories` or either; none when left out',
          examples: [{ categories: ['Q&A'] }],
          anyOf: [{ required: ['labels'] }, { required: ['categories'] }],
        },
      ),
    ),
  },
  {
    ...strict,
    description:
      'issues and discussions of the repository that become [conversations](conversations.md#issues-and-discussions-on-github) of its organization; none when left out',
    examples: [{ issues: { labels: ['question'] } }],
  },
);

export const SiteSectionEntry = Type.Object(
  {
    directory: text('the `directory` of a space; those of several branches are the variants of the section', {
      reads: 'directory',
      max: 1_000,
    }),
    title: Type.Optional(
      text('the title of the section; that of its space when left out', {
        reads: 'site-title',
        max: MAX_TITLE_LENGTH,
      }),
    ),
    path: Type.Optional(
      text('its part of the address, such as `guide`; made from its title when left out', {
        reads: 'site-path',
        max: 100,
      }),
    ),
  },
  { ...strict, title: 'section', examples: [{ directory: 'docs', title: 'Guide' }] },
);

const SiteLink = Type.Object(
  {
    title: text('the text of the link', { max: 64 }),
    url: text('its https address', { reads: 'web-address', max: 2_048 }),
  },
  { ...strict, title: 'link', examples: [{ title: 'Blog', url: 'https://example.com/blog' }] },
);

const SiteLook = Type.Object(
  {
    color: Type.Optional(text('of links and buttons, such as `#1f5fbf`', { reads: 'color', max: 7 })),
    logo: Type.Optional(
      text('the https address of a picture beside the title', { reads: 'web-address', max: 2_048 }),
    ),
    icon: Type.Optional(
      text('the https address of the icon in tabs of browsers', { reads: 'web-address', max: 2_048 }),
    ),
    theme: Type.Optional(
      Type.Enum(['light', 'dark'], {
        description: 'the theme with which it opens; the reader’s when left out',
      }),
    ),
    corners: Type.Optional(
      Type.Enum(['straight', 'rounded', 'circular'], { description: 'of buttons, code and pictures' }),
    ),
    links: Type.Optional(
      Type.Array(SiteLink, { maxItems: 30, description: 'links at the top of each page' }),
    ),
    copyright: Type.Optional(text('a line at the end of each page', { max: 300 })),
    'try-it': Type.Optional(
      Type.Boolean({
        description:
          'whether readers may [send requests](sites.md#try-it) from API operations; on sites that everybody may read when left out',
      }),
    ),
  },
  {
    ...strict,
    description: 'its look; what is left out stays as it was chosen',
    examples: [{ color: '#1f5fbf' }],
  },
);

export const SiteEntry = Type.Object(
  {
    title: text('the title of the site', { reads: 'site-title', max: MAX_TITLE_LENGTH }),
    basename: Type.Optional(
      text('its part of the address, such as `docs`; made from its title when left out', {
        reads: 'site-path',
        max: 100,
      }),
    ),
    audience: Type.Optional(
      Type.Enum(['members', 'public', 'unlisted', 'share-link', 'visitor-auth'], {
        description:
          '[who reads it](sites.md#who-may-read-it); a new site is for `members` of the organization until this says otherwise',
      }),
    ),
    sections: Type.Optional(
      Type.Array(SiteSectionEntry, {
        minItems: 1,
        maxItems: MAX_SPACES,
        description: 'the spaces that it shows, in their order; all spaces when left out',
      }),
    ),
    look: Type.Optional(SiteLook),
  },
  {
    ...strict,
    description: 'the [site](sites.md#from-a-repository) that shows the spaces; none when left out',
    examples: [{ title: 'Lantern', audience: 'public' }],
  },
);

/** The file as people write it. */
export const ConfigFile = Type.Object(
  {
    spaces: list(
      SpaceEntry,
      `1 to ${MAX_SPACES} spaces; detected from the files of the repository when left out`,
      MAX_SPACES,
    ),
    site: Type.Optional(SiteEntry),
    checks: Checks,
    exports: Exports,
    openapi: list(OpenApiEntry, 'OpenAPI specifications that the platform stores'),
    translations: list(TranslationEntry, 'translations of spaces'),
    'external-links': ExternalLinks,
    conversations: Type.Optional(Conversations),
    timezone: text('the time zone of all schedules, such as `Europe/Berlin`', {
      reads: 'time-zone',
      default: 'UTC',
      max: 60,
    }),
  },
  {
    ...strict,
    default: {},
    title: 'Docloom configuration',
    description: 'What Docloom does with this repository: `.github/docloom.yml`.',
    examples: [{ spaces: [{ directory: 'docs', title: 'Docs' }] }],
  },
);

/** Adds to each object in a list the line of the file where it starts, counted from 1. */
export type WithLines<T> = T extends readonly (infer Item)[]
  ? readonly (Item extends object ? WithLines<Item> & { readonly line: number } : Item)[]
  : T extends object
    ? { readonly [Key in keyof T]: WithLines<T[Key]> }
    : T;

/** The parsed file: defaults filled in, directories without leading and trailing slashes, '' for the root. */
export type Config = Omit<WithLines<Static<typeof ConfigFile>>, 'checks'> & {
  readonly checks: Omit<WithLines<Static<typeof Checks>>, 'ignore'> & {
    readonly ignore: readonly IgnoreRule[];
  };
};

export type ConversationsConfig = NonNullable<Config['conversations']>;
export type SiteConfig = NonNullable<Config['site']>;
export type SpaceConfig = Config['spaces'][number];
export type OpenApiConfig = Config['openapi'][number];
export type TranslationConfig = Config['translations'][number];
