import type { SiteCustomization } from '../../contract/index.ts';
import { checkCondition } from './conditions.ts';

export type { SiteCustomization };

/** How a site looks of which nobody has chosen anything. */
const DEFAULT_LOOK: SiteCustomization = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#1f5fbf', dark: '#82b1ff' },
    infoColor: { light: '#5b6472', dark: '#a3adbb' },
    successColor: { light: '#1a7f4b', dark: '#5fce93' },
    warningColor: { light: '#9a6200', dark: '#f0b95a' },
    dangerColor: { light: '#c0342c', dark: '#ff8f86' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'JetBrainsMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', showLogo: true, links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: true },
  ai: { mode: 'search' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: true, mcp: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
};

/** The groups of fields; whatever else is an object or a list is set as one. */
const GROUPS: ReadonlySet<string> = new Set([
  'styling',
  'sidebar',
  'internationalization',
  'header',
  'footer',
  'themes',
  'pdf',
  'feedback',
  'ai',
  'advancedCustomization',
  'git',
  'pageActions',
  'externalLinks',
  'pagination',
  'tryIt',
  'trademark',
  'privacyPolicy',
  'socialPreview',
  'insights',
]);

type Fields = Readonly<Record<string, unknown>>;

/** The look of a site, or of a space in it, from what was chosen: each choice goes before those before it. */
export function composeLook(...chosen: readonly unknown[]): SiteCustomization {
  const look = chosen.reduce<Fields>(
    (before, choice) => merge(before, (choice ?? {}) as Fields),
    DEFAULT_LOOK as unknown as Fields,
  ) as unknown as SiteCustomization;
  return { ...look, themes: { ...look.themes, system: followsSystem(chosen) } };
}

/** As long as nobody chose a theme, that of the reader's system is the better one. */
function followsSystem(chosen: readonly unknown[]): boolean {
  for (const choice of chosen.toReversed()) {
    const { themes } = (choice ?? {}) as { themes?: Partial<SiteCustomization['themes']> };
    const follows = themes?.system ?? (themes?.default === undefined ? undefined : false);
    if (follows !== undefined) return follows;
  }
  return true;
}

/** A choice with a change of it, in which null takes a field back; null where nothing is left. */
export function changeChoice(choice: unknown, change: Fields): Fields | null {
  const changed = withoutNulls(merge((choice ?? {}) as Fields, change));
  return Object.keys(changed).length === 0 ? null : changed;
}

/** Throws a 400 about a condition that cannot be evaluated; links of the header may have one. */
export function checkLook(change: Fields, field: string): void {
  const { header } = change as { header?: { links?: readonly { condition?: string }[] | null } };
  for (const [at, link] of (header?.links ?? []).entries())
    checkCondition(link.condition, `${field}/header/links/${at}/condition`);
}

function merge(base: Fields, change: Fields): Fields {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const group = GROUPS.has(name) && isFields(value);
    merged[name] = group ? merge(isFields(base[name]) ? base[name] : {}, value) : value;
  }
  return merged;
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === null) return [];
      if (!GROUPS.has(name) || !isFields(value)) return [[name, value]];
      const group = withoutNulls(value);
      return Object.keys(group).length === 0 ? [] : [[name, group]];
    }),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
