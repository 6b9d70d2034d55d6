import type { FileFacts, PageCover, PageLayout, PageSettings } from '../model/index.ts';

/** The parts of a page that `layout` shows or hides, by their key; the publisher's default applies to absent ones. */
const PARTS = ['title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata'] as const;

/** More variables than this are left out, and so are longer values. */
const MAX_VARIABLES = 1_000;
const MAX_VALUE_LENGTH = 4_000;

/** As of sections. */
const MAX_CONDITION_LENGTH = 1_024;

/**
 * Reads how a page is shown and indexed from its front matter; null when it has no such settings
 * (https://gitbook.com/docs/getting-started/git-sync/content-configuration). Values of an unexpected type are left out:
 * other builders use the same keys for other things.
 */
export function readPageSettings(values: FileFacts['frontMatter']): PageSettings | null {
  const layout = readLayout(values['layout']);
  const cover = readCover(values);
  const variables = readVariableValues(values['vars']);
  const condition = readCondition(values['if']);
  const settings: PageSettings = {
    ...(layout === null ? {} : { layout }),
    ...(cover === null ? {} : { cover }),
    ...(values['noIndex'] === true ? { noIndex: true } : {}),
    ...(values['noRobotsIndex'] === true ? { noRobotsIndex: true } : {}),
    ...(condition === null ? {} : { condition }),
    ...(variables === null ? {} : { variables }),
  };
  return Object.keys(settings).length === 0 ? null : settings;
}

/** A condition that is too long to be kept hides the page. */
function readCondition(value: unknown): string | null {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.length > MAX_CONDITION_LENGTH ? 'false' : value.trim();
}

function readLayout(value: unknown): PageLayout | null {
  if (!isRecord(value)) return null;
  const { width, cover } = value;
  const size = isRecord(cover) ? cover['size'] : undefined;
  const layout: PageLayout = {
    ...(width === 'default' || width === 'wide' ? { width } : {}),
    ...visibility('cover', cover),
    ...(size === 'hero' || size === 'full' ? { coverSize: size } : {}),
  };
  for (const part of PARTS) Object.assign(layout, visibility(part, value[part]));
  return Object.keys(layout).length === 0 ? null : layout;
}

function visibility(part: string, value: unknown): Readonly<Record<string, boolean>> {
  const visible = isRecord(value) ? value['visible'] : value;
  return typeof visible === 'boolean' ? { [part]: visible } : {};
}

/** `cover: a.png`, or `cover: {light: a.png, dark: b.png}`. */
function readCover(values: FileFacts['frontMatter']): PageCover | null {
  const { cover, coverDark, coverY, coverHeight } = values;
  const light = textOf(isRecord(cover) ? cover['light'] : cover);
  const dark = textOf(isRecord(cover) ? cover['dark'] : coverDark);
  if (light === null && dark === null) return null;
  return {
    target: light ?? (dark as string),
    ...(dark === null ? {} : { darkTarget: dark }),
    ...(isAmount(coverY) ? { yPos: coverY } : {}),
    ...(isAmount(coverHeight) ? { height: coverHeight } : {}),
  };
}

/** Reads a flat YAML mapping of names to values, all as text; null when it is not a mapping or is empty. */
export function readVariableValues(value: unknown): Readonly<Record<string, string>> | null {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).flatMap(([name, item]): [string, string][] => {
    const isPlain = typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
    const text = isPlain ? String(item) : '';
    return isPlain && name.trim() !== '' && text.length <= MAX_VALUE_LENGTH ? [[name.trim(), text]] : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries.slice(0, MAX_VARIABLES));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
