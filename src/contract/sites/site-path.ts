import { Formed } from '../scalars.ts';

/** One segment of an address: of a site, a section or a variant. Control characters, spaces and other signs are not in it. */
const pattern = '^(?![-._])[^\\s\\x00-\\x2c\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\x9f]+$';

export const SitePath = Formed(
  pattern,
  'must be letters, digits, hyphens, dots and underscores, with a letter or digit first',
  { minLength: 1, maxLength: 100 },
);
