import type { Hero, HeroAction, HeroImage } from '../../dialect/index.ts';
import { asList, asRecord, asText, isRecord } from '../untyped-values.ts';

/** The hero of a page (https://starlight.astro.build/reference/frontmatter/#hero). */
export function readStarlightHero(values: Readonly<Record<string, unknown>>): Hero | null {
  const hero = values['hero'];
  if (!isRecord(hero)) return null;
  const title = asText(hero['title']) ?? asText(values['title']);
  if (title === null) return null;
  return {
    title,
    lead: null,
    tagline: asText(hero['tagline']),
    image: imageOf(asRecord(hero['image'])),
    actions: asList(hero['actions']).flatMap(actionOf),
    features: [],
  };
}

function imageOf({ file, light, dark, alt }: Readonly<Record<string, unknown>>): HeroImage | null {
  const first = asText(file) ?? asText(light) ?? asText(dark);
  if (first === null) return null;
  const inDark = asText(dark);
  return { light: first, dark: inDark === first ? null : inDark, alt: asText(alt) ?? '' };
}

function actionOf(value: unknown): HeroAction[] {
  const { text, link, variant = 'primary' } = asRecord(value);
  const [words, href] = [asText(text), asText(link)];
  return words === null || href === null ? [] : [{ words, href, isPrimary: variant === 'primary' }];
}
