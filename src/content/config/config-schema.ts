import { type Static, Type } from 'typebox';
import { type FormatName, formats } from '../formats/index.ts';

/** The names that `format` takes. */
export const formatNames: readonly FormatName[] = formats.map((row) => row.name);

/** The most spaces that one repository may have. */
export const MAX_SPACES = 50;

/** The most bytes that a configuration file may have. */
export const MAX_CONFIG_BYTES = 64 * 1024;

/** In UTF-16 code units. */
export const MAX_TITLE_LENGTH = 100;

/** The most entries of `checks.ignore`. */
export const MAX_IGNORES = 500;

/** Of one pattern or reason, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 500;

/** One space of the configuration file. */
export const SpaceConfig = Type.Object(
  {
    directory: Type.String({
      description: 'A folder from the root of the repository; `.` for the root itself.',
    }),
    title: Type.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH, description: 'The title of the space.' }),
    format: Type.Optional(
      Type.Unsafe<FormatName>(
        Type.String({
          enum: [...formatNames],
          description: 'What builds the docs; told from the files of the repository when left out.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

const text = (description: string) =>
  Type.Union([Type.Null(), Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH, description })]);

/** One entry of `checks.ignore`; what is left out is null. At least one of `target`, `file` and `rule` is given. */
export const IgnoreEntry = Type.Object(
  {
    target: text('A glob pattern that the destination fits, as it is written in the page.'),
    file: text('A glob pattern that the path of the page fits, from the root of the repository.'),
    rule: text('The rule that the link breaks.'),
    reason: Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH, description: 'Why it may stay.' }),
    until: text('The last day on which the entry holds, such as `2030-12-31`.'),
    line: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);

/** The configuration file `.github/docloom.yml`. Unknown keys are refused. */
export const Config = Type.Object(
  {
    /** Empty when the file declares none: then they are told from the files of the repository. */
    spaces: Type.Array(SpaceConfig, { maxItems: MAX_SPACES }),
    checks: Type.Object(
      { ignore: Type.Array(IgnoreEntry, { maxItems: MAX_IGNORES }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
/** `directory` is normalised: no slashes at the ends, '' for the root. */
export type Config = Static<typeof Config>;
