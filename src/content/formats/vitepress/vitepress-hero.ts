import type { Hero, HeroAction, HeroFeature, HeroImage } from '../../dialect/index.ts';
import { asList, asRecord, asText } from '../untyped-values.ts';

/** The home page of the default theme (https://vitepress.dev/reference/default-theme-home-page). */
export function readVitepressHero(values: Readonly<Record<string, unknown>>): Hero | null {
  if (values['layout'] !== 'home') return null;
  const hero = asRecord(values['hero']);
  const name = asText(hero['name']);
  const words = asText(hero['text']);
  const title = name ?? words ?? asText(values['title']);
  if (title === null) return null;
  return {
    title,
    lead: name === null ? null : words,
    tagline: asText(hero['tagline']),
    image: imageOf(hero['image']),
    actions: asList(hero['actions']).flatMap(actionOf),
    features: asList(values['features']).flatMap(featureOf),
  };
}

/** An address, or one for each theme. */
function imageOf(value: unknown): HeroImage | null {
  const own = asRecord(value);
  const light = asText(value) ?? asText(own['src']) ?? asText(own['light']);
  if (light === null) return null;
  return { light, dark: asText(own['dark']), alt: asText(own['alt']) ?? '' };
}

function actionOf(value: unknown): HeroAction[] {
  const { theme, text, link } = asRecord(value);
  const [words, href] = [asText(text), asText(link)];
  return words === null || href === null
    ? []
    : [{ words, href, isPrimary: theme === undefined || theme === 'brand' }];
}

function featureOf(value: unknown): HeroFeature[] {
  const { title, details, link, icon } = asRecord(value);
  const words = asText(title);
  if (words === null) return [];
  const sign = asText(icon);
  const isEmoji = sign !== null && /^\p{Extended_Pictographic}[\p{M}\p{Emoji}\u200d]*$/u.test(sign);
  return [{ title: words, icon: isEmoji ? sign : null, details: asText(details), href: asText(link) }];
}
