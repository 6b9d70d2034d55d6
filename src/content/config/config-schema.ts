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

/** The configuration file `.github/docloom.yml`. Unknown keys are refused. */
export const Config = Type.Object(
  { spaces: Type.Array(SpaceConfig, { minItems: 1, maxItems: MAX_SPACES }) },
  { additionalProperties: false },
);
/** `directory` is normalised: no slashes at the ends, '' for the root. */
export type Config = Static<typeof Config>;
