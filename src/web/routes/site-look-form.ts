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
  messageLink: '/announcement/link',
  message: '/announcement',
  groups: '/footer/groups',
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
  const { groups } = look.footer;
  const areParagraphs = groups.every(
    ({ title, links }) =>
      isWords(title) && links.every((link) => isWords(link.title) && link.to.kind === 'url'),
  );
  const link = look.announcement?.link?.to;
  return {
    look,
    links: areLines ? writeLines(look.header.links) : null,
    groups: areParagraphs
      ? groups
          .map(({ title, links }) => [title, ...(links.length === 0 ? [] : [writeLines(links)])].join('\n'))
          .join('\n\n')
      : null,
    messageLink: link === undefined ? '' : link.kind === 'url' ? link.url : null,
  };
}

/** Whether a title is read from a line as it was written into it. */
function isWords(title: string): boolean {
  return title !== '' && title === title.trim().split(/\s+/).join(' ');
}

type Link = Pick<SiteCustomization['header']['links'][number], 'title' | 'to'>;

/** `Title https://…` on each line. */
function writeLines(links: readonly Link[]): string {
  return links.map(({ title, to }) => `${title} ${to?.kind === 'url' ? to.url : ''}`).join('\n');
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
  const groups = saved.groups === null ? null : readText(form, 'groups', LONGEST);
  const messageLink = saved.messageLink === null ? null : text('messageLink');
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
      showLogo: isOn('showLogo'),
      ...(logo === '' && text('logoDark') === ''
        ? {}
        : { logo: { light: logo, dark: text('logoDark') || logo } }),
      ...(links === null ? {} : { links: readLines(links).map((link) => ({ ...link, links: [] })) }),
    },
    footer: {
      ...footer,
      ...optional('copyright', text('copyright')),
      ...(groups === null ? {} : { groups: readGroups(groups) }),
    },
    ...(message === ''
      ? {}
      : {
          announcement: {
            ...optionalLink(announcement?.link, messageLink, message),
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
  return { look: chosen as SiteCustomization, links, groups, messageLink };
}

type AnnouncementLink = NonNullable<SiteCustomization['announcement']>['link'];

/** The saved link where its address was not changed: sites show no title of it, so its own is kept or the message stands for one. */
function optionalLink(
  saved: AnnouncementLink,
  address: string | null,
  message: string,
): { readonly link?: NonNullable<AnnouncementLink> } {
  if (address === null || (saved?.to.kind === 'url' && saved.to.url === address))
    return saved === undefined ? {} : { link: saved };
  const title = saved?.title ?? message.slice(0, MAX_LINK_TITLE).toWellFormed();
  return address === '' ? {} : { link: { title, to: { kind: 'url', url: address } } };
}

/** In UTF-16 code units. */
const MAX_LINK_TITLE = 64;

function readLines(text: string) {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === '') return [];
    return [{ title: words.slice(0, -1).join(' '), to: { kind: 'url' as const, url: words.at(-1) ?? '' } }];
  });
}

/** Paragraphs: the first line of each is the title of a group, the others are its links. */
function readGroups(text: string): SiteCustomization['footer']['groups'] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const [title = '', ...lines] = paragraph.trim().split('\n');
      const words = title.trim().split(/\s+/).join(' ');
      return words === '' ? [] : [{ title: words, links: readLines(lines.join('\n')) }];
    });
}

/** What is chosen as one, though it has fields. */
const WHOLE: readonly string[] = ['title', 'favicon', 'announcement'];

/** What of a look differs from the defaults, as `updateSiteCustomization` takes it. */
export function choiceOf({ look }: EnteredLook): Fields {
  return differenceOf(look, composeLook());
}

/**
 * What makes an entered look of the saved one, over that of the site, as `updateSiteSpaceCustomization` takes it: null for
 * what is to be as on the site again.
 */
export function changeBetween({
  look,
  entered,
  below,
}: {
  readonly look: SiteCustomization;
  readonly entered: SiteCustomization;
  readonly below: SiteCustomization;
}): Fields {
  const [before, after] = [differenceOf(look, below), differenceOf(entered, below)];
  const change: Record<string, unknown> = { ...after };
  for (const [name, value] of Object.entries(before)) {
    if (!WHOLE.includes(name)) change[name] = { ...nullsFor(value as Fields), ...(after[name] as Fields) };
    else if (!Object.hasOwn(after, name)) change[name] = null;
  }
  return change;
}

function nullsFor(fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

type Fields = Readonly<Record<string, unknown>>;

function differenceOf(look: SiteCustomization, below: SiteCustomization): Fields {
  return differing(look, below, (name, value, standard) =>
    WHOLE.includes(name) || standard === undefined ? value : differing(value as object, standard as object),
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
  const { look, links, groups, messageLink } = entered;
  const problems = new Map<LookField | null, string>();
  const say = (field: LookField | null, sentence: string) => {
    if (!problems.has(field)) problems.set(field, sentence);
  };
  for (const [field, address] of [
    ['logo', look.header.logo?.light],
    ['logoDark', look.header.logo?.dark],
    ['icon', 'icon' in look.favicon ? look.favicon.icon.light : undefined],
    ['messageLink', messageLink === null || messageLink === '' ? undefined : messageLink],
  ] as const)
    if (address !== undefined && !isWebAddress(address)) say(field, 'It must be an http or https address.');
  for (const [at, { title, to }] of (links === null ? [] : look.header.links).entries())
    if (title === '' || to?.kind !== 'url' || !isWebAddress(to.url))
      say('links', `Link ${at + 1} must be a title and, after a space, an http or https address.`);
  if (messageLink !== null && messageLink !== '' && look.announcement === undefined)
    say('messageLink', 'Enter the announcement that leads there, too.');
  for (const [at, { title, links: below }] of (groups === null ? [] : look.footer.groups).entries()) {
    if (isWebAddress(title.split(' ').at(-1) ?? ''))
      say('groups', `Group ${at + 1} must begin with a title on a line of its own.`);
    for (const [line, link] of below.entries())
      if (link.title === '' || link.to.kind !== 'url' || !isWebAddress(link.to.url))
        say(
          'groups',
          `Link ${line + 1} of “${title}” must be a title and, after a space, an http or https address.`,
        );
  }
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
    else if (field === 'groups' && below !== FIELDS.groups) say(field, `A title or link ${message}.`);
    else say(field, `It ${message}.`);
  }
  return problems;
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s"'<>\\]+$/.test(address) && URL.canParse(address);
}
