import type { Element, ElementContent, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import { unified } from 'unified';
import type { Dialect, Hero, HeroFeature, HeroImage } from '../dialect/index.ts';
import { readFrontMatter } from '../parse/index.ts';
import { skipFrontMatter } from '../text/index.ts';
import { element } from './hast-elements.ts';
import { heroSchema } from './sanitise-schema.ts';

/** Actions and features beyond this number are left out. */
const MAX_PARTS = 30;

/** Of one text, in UTF-16 code units. */
const MAX_WORDS = 1_000;

const sanitise = rehypeSanitize(heroSchema);
const html = unified().use(rehypeRaw).freeze();

/** The elements of what a home page begins with, sanitised; none on other pages. */
export function heroElements(markdown: string, { readHero }: Dialect): Root['children'] {
  if (readHero === undefined || !/^---[ \t]*\r?\n/.test(markdown)) return [];
  const lines = markdown.split('\n');
  const yaml = lines.slice(1, skipFrontMatter(lines) - 1).join('\n');
  if (!/^(?:hero|layout):/m.test(yaml)) return [];
  const hero = readHero(readFrontMatter(yaml, 2).values);
  if (hero === null) return [];
  const tree: Root = { type: 'root', children: [welcomeOf(hero), ...featuresOf(hero)] };
  return (sanitise(tree) as Root).children;
}

function welcomeOf({ title, lead, tagline, image, actions }: Hero): Element {
  const buttons = actions
    .slice(0, MAX_PARTS)
    .flatMap(({ words, href, isPrimary }) => [
      element('a', wordsOf(words), { href, className: isPrimary ? ['button'] : ['button', 'secondary'] }),
      text(' '),
    ]);
  const words = [
    element('h1', wordsOf(title)),
    ...(lead === null ? [] : [element('p', wordsOf(lead), { className: ['welcome-lead'] })]),
    ...(tagline === null ? [] : [element('p', wordsOf(tagline), { className: ['welcome-tagline'] })]),
    ...(buttons.length === 0 ? [] : [element('p', buttons, { className: ['welcome-actions'] })]),
  ];
  return element('div', [element('div', words, { className: ['welcome-words'] }), ...picturesOf(image)], {
    className: ['welcome'],
  });
}

function picturesOf(image: HeroImage | null): Element[] {
  if (image === null) return [];
  const { light, dark, alt } = image;
  if (dark === null) return [element('img', [], { src: light, alt })];
  return [
    element('img', [], { src: light, alt, className: ['if-light'] }),
    element('img', [], { src: dark, alt, className: ['if-dark'] }),
  ];
}

function featuresOf({ features }: Hero): Element[] {
  if (features.length === 0) return [];
  return [element('div', features.slice(0, MAX_PARTS).map(cardOf), { className: ['cards'] })];
}

function cardOf({ title, icon, details, href }: HeroFeature): Element {
  const words = wordsOf(title);
  const named = href === null ? words : [element('a', words, { href })];
  const head = element('p', [...(icon === null ? [] : [text(`${icon} `)]), ...named], {
    className: ['card-title'],
  });
  const more = details === null ? [] : [element('p', wordsOf(details))];
  return element('div', [head, ...more], { className: ['card'] });
}

/** A text with the HTML in it. */
function wordsOf(written: string): ElementContent[] {
  const value = written.slice(0, MAX_WORDS);
  if (!/[<&]/.test(value)) return [text(value)];
  const tree = html.runSync({ type: 'root', children: [{ type: 'raw', value }] } as Root) as Root;
  return tree.children.filter((child): child is ElementContent => child.type !== 'doctype');
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
