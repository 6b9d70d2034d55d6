import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export interface StaticAsset {
  /** Contains a hash of the content, so browsers may cache it for ever. */
  readonly href: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const loaded = new Map<string, StaticAsset>();

/** The stylesheet of all pages. */
export function stylesheet(): StaticAsset {
  return load('style.css', 'text/css; charset=utf-8');
}

/** The icon that browsers show next to the title. */
export function favicon(): StaticAsset {
  return load('favicon.svg', 'image/svg+xml');
}

/** The script of all pages, without which they work, too. */
export function dashboardScript(): StaticAsset {
  return load('dashboard.js', 'text/javascript; charset=utf-8');
}

/** What only the editor looks like. */
export function editorStyles(): StaticAsset {
  return load('editor.css', 'text/css; charset=utf-8');
}

/**
 * The script of the editor, which is bundled from `editor/` when Docloom is built. Null for a program that runs from its
 * sources and was not built: the editor works without it.
 */
export function editorScript(): StaticAsset | null {
  return locate('editor.js') === null ? null : load('editor.js', 'text/javascript; charset=utf-8');
}

/** Drags files in the tree of the editor. */
export function treeScript(): StaticAsset {
  return load('edit-tree.js', 'text/javascript; charset=utf-8');
}

/** Shows a look while it is entered. */
export function lookScript(): StaticAsset {
  return load('look.js', 'text/javascript; charset=utf-8');
}

/** Each file is read once, because files of the program do not change while it runs. */
function load(name: string, contentType: string): StaticAsset {
  const known = loaded.get(name);
  if (known) return known;
  const file = locate(name);
  if (file === null) throw new Error(`There is no ${name}; run npm run build.`);
  const body = readFileSync(file);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { href: `/assets/${name.replace('.', `.${hash}.`)}`, contentType, body };
  loaded.set(name, asset);
  return asset;
}

/** A bundle is only in the build, from which a program that runs from its sources takes it, too. */
function locate(name: string): URL | null {
  const places = [`assets/${name}`, `../../dist/web/assets/${name}`].map(
    (path) => new URL(path, import.meta.url),
  );
  return places.find((place) => existsSync(place)) ?? null;
}
