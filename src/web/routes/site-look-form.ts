import { isDeepStrictEqual } from 'node:util';
import { composeLook, findLookProblems, type SiteCustomization } from '../../platform/index.ts';
import type { EnteredLook, LookField, LookProblems } from '../views/entered-look.ts';
import { readText } from './read-text.ts';

/** The part of a customization that a field sets. */
const FIELDS: Readonly<Record<LookField, string>> = {
  title: '/title',
  light: '/styling/primaryColor/light',
  dark: '/styling/primaryColor/dark',
  logoDark: '/header/logo/dark',
  logo: '/header/logo',
  icon: '/favicon',
  links: '/header/links',
  message: '/announcement',
  copyright: '/footer/copyright',
  socialPicture: '/socialPreview/url',
};

/** Longer than anything that is accepted. */
const LONGEST = 20_000;

export function toEntered(look: SiteCustomization): EnteredLook {
  const areLines = look.header.links.every(
    ({ to, links, condition, style = 'link' }) =>
      to?.kind === 'url' && links.length === 0 && condition === undefined && style === 'link',
  );
  const line = ({ title, to }: SiteCustomization['header']['links'][number]) =>
    `${title} ${to?.kind === 'url' ? to.url : ''}`;
  return { look, links: areLines ? look.header.links.map(line).join('\n') : null };
}

/** What a form says, over what is saved: fields that the form does not have stay as they are. */
export function readLook(form: unknown, saved: EnteredLook): EnteredLook {
  const text = (name: string) => readText(form, name, LONGEST).trim();
  const isOn = (name: string) => readText(form, name) === 'on';
  const optional = <Name extends string>(name: Name, value: string) =>
    (value === '' ? {} : { [name]: value }) as { [Key in Name]?: string };
  const { look } = saved;
  const { title: _title, tryIt: _tryIt, announcement, ...rest } = look;
  const { logo: _logo, ...header } = look.header;
  const { copyright: _copyright, ...footer } = look.footer;
  const links = saved.links === null ? null : readText(form, 'links', LONGEST);
  const [logo, icon, theme, message, tryIt] = ['logo', 'icon', 'theme', 'message', 'tryIt'].map(text) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const isSystem = theme !== 'light' && theme !== 'dark';
  const chosen = {
    ...rest,
    ...optional('title', text('title')),
    styling: {
      ...look.styling,
      primaryColor: { light: text('light'), dark: text('dark') },
      corners: text('corners'),
    },
    favicon:
      icon === '' ? ('icon' in look.favicon ? {} : look.favicon) : { icon: { light: icon, dark: icon } },
    header: {
      ...header,
      ...(logo === '' && text('logoDark') === ''
        ? {}
        : { logo: { light: logo, dark: text('logoDark') || logo } }),
      ...(links === null ? {} : { links: readLines(links) }),
    },
    footer: { ...footer, ...optional('copyright', text('copyright')) },
    ...(message === ''
      ? {}
      : {
          announcement: {
            ...(announcement?.link !== undefined && { link: announcement.link }),
            enabled: isOn('announced'),
            message,
            style: text('announcementStyle'),
          },
        }),
    themes: {
      default: isSystem ? composeLook().themes.default : theme,
      toggeable: isOn('toggle'),
      system: isSystem,
    },
    pdf: { enabled: isOn('pdf') },
    feedback: { enabled: isOn('feedback') },
    ai: { mode: !isOn('ai') ? 'none' : look.ai.mode === 'none' ? 'search' : look.ai.mode },
    git: { showEditLink: isOn('editLink') },
    pageActions: {
      markdown: isOn('markdown'),
      mcp: isOn('mcp'),
      externalAI: isOn('externalAI'),
    },
    externalLinks: { target: isOn('newTab') ? 'blank' : 'self' },
    pagination: { enabled: isOn('pagination') },
    ...(tryIt === 'on' || tryIt === 'off' ? { tryIt: { enabled: tryIt === 'on' } } : {}),
    socialPreview: optional('url', text('socialPicture')),
  };
  return { look: chosen as SiteCustomization, links };
}

/** `Title https://…` on each line. */
function readLines(text: string): SiteCustomization['header']['links'] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === '') return [];
    return [
      {
        title: words.slice(0, -1).join(' '),
        to: { kind: 'url' as const, url: words.at(-1) ?? '' },
        links: [],
      },
    ];
  });
}

/** What of a look differs from the defaults, as `updateSiteCustomization` takes it. */
export function choiceOf({ look }: EnteredLook): Readonly<Record<string, unknown>> {
  const whole = ['title', 'favicon', 'announcement'];
  return differing(look, composeLook(), (name, value, standard) =>
    whole.includes(name) || standard === undefined ? value : differing(value as object, standard as object),
  );
}

function differing(
  look: object,
  defaults: object,
  choose: (name: string, value: unknown, standard: unknown) => unknown = (_name, value) => value,
): Readonly<Record<string, unknown>> {
  const standards = defaults as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(look)
      .filter(([name, value]) => !isDeepStrictEqual(value, standards[name]))
      .map(([name, value]) => [name, choose(name, value, standards[name])]),
  );
}

/** A sentence for each field that cannot be used; under null what is about none of them. */
export function findProblems(entered: EnteredLook): LookProblems {
  const { look, links } = entered;
  const problems = new Map<LookField | null, string>();
  const say = (field: LookField | null, sentence: string) => {
    if (!problems.has(field)) problems.set(field, sentence);
  };
  for (const [field, address] of [
    ['logo', look.header.logo?.light],
    ['logoDark', look.header.logo?.dark],
    ['icon', 'icon' in look.favicon ? look.favicon.icon.light : undefined],
  ] as const)
    if (address !== undefined && !isWebAddress(address)) say(field, 'It must be an http or https address.');
  for (const [at, { title, to }] of (links === null ? [] : look.header.links).entries())
    if (title === '' || to?.kind !== 'url' || !isWebAddress(to.url))
      say('links', `Link ${at + 1} must be a title and, after a space, an http or https address.`);
  for (const { path, message } of findLookProblems(choiceOf(entered))) {
    const below = path.replace('/body', '');
    const field = (Object.keys(FIELDS) as LookField[]).find(
      (name) =>
        below === FIELDS[name] ||
        below.startsWith(`${FIELDS[name]}/`) ||
        FIELDS[name].startsWith(`${below}/`),
    );
    if (field === undefined) say(null, `${below.slice(1)} ${message}.`);
    else if (field === 'links') say(field, `A link ${message}.`);
    else say(field, `It ${message}.`);
  }
  return problems;
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s"'<>\\]+$/.test(address) && URL.canParse(address);
}
