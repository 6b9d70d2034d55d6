import type { ArrangedSiteSpace, ArrangedStructure } from '../../platform/index.ts';
import type { VariantLocation } from '../locate-path.ts';

/** The spaces among which readers of one switch: those of its section, or of a site without sections. */
export function variantsBeside(
  structure: Pick<ArrangedStructure, 'siteSpaces'>,
  { section }: Pick<VariantLocation, 'section'>,
): readonly ArrangedSiteSpace[] {
  return section?.siteSpaces ?? structure.siteSpaces;
}

/**
 * The variant that search engines are to know in the place of one: the default of the section, or, of versions in another
 * language, the first one. Variants whose language nobody chose count as in that of the default.
 */
export function currentVariantOf(
  variants: readonly ArrangedSiteSpace[],
  siteSpace: ArrangedSiteSpace,
): ArrangedSiteSpace {
  const defaultOne = variants.find(({ isDefault }) => isDefault);
  const languageOf = ({ row }: ArrangedSiteSpace) => row.space.language ?? defaultOne?.row.space.language;
  const language = languageOf(siteSpace);
  if (defaultOne !== undefined && languageOf(defaultOne) === language) return defaultOne;
  return variants.find((variant) => languageOf(variant) === language) ?? siteSpace;
}

/**
 * The variant whose pages stand in for those that a translation lacks; null for what is no translation, and for old
 * versions of one, for which no version of the original is known.
 */
export function originalVariantOf(
  variants: readonly ArrangedSiteSpace[],
  siteSpace: ArrangedSiteSpace,
): ArrangedSiteSpace | null {
  const original = variants.find(({ isDefault }) => isDefault);
  const languages = [siteSpace, original].map((variant) => variant?.row.space.language ?? null);
  if (original === undefined || languages.includes(null) || languages[0] === languages[1]) return null;
  return currentVariantOf(variants, siteSpace) === siteSpace ? original : null;
}
