import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { laterStyles } from './style-parts.ts';

export interface SiteAsset {
  /** Below `SiteFrame.assetsHref`. Contains a hash of the content, so browsers and proxies may cache it for ever. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** What it is sent with in the place of the headers that all answers of sites have. */
  readonly headers: Readonly<Record<string, string>>;
}

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const FILES = {
  style: ['site.css', CSS],
  blocks: ['blocks.css', CSS],
  script: ['site.js', SCRIPT],
  askScript: ['ask.js', SCRIPT],
  operationScript: ['operation.js', SCRIPT],
  theme: ['theme.js', SCRIPT],
  diagrams: ['diagrams.js', SCRIPT],
  favicon: ['favicon.svg', 'image/svg+xml'],
} as const;

/** A document that loads a script has no origin of its own, so the script must be open to all of them. */
const FOR_FRAME = { 'cross-origin-resource-policy': 'cross-origin' };

/** The document that draws diagrams reaches nothing but its scripts, whatever its sources make it do. */
const FRAME_HEADERS = {
  'content-security-policy':
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

type SiteAssets = Readonly<Record<keyof typeof FILES | 'diagramFrame' | 'laterStyle', SiteAsset>>;

interface LoadedAssets {
  readonly named: SiteAssets;
  readonly byName: ReadonlyMap<string, SiteAsset>;
}

let loaded: LoadedAssets | undefined;

/** What the pages of all sites load. Read once, because files of the program do not change while it runs. */
export function siteAssets(): SiteAssets {
  return load().named;
}

/** A file that pages load, or one that only the document that draws diagrams does; undefined for none. */
export function findSiteAsset(name: string): SiteAsset | undefined {
  return load().byName.get(name);
}

function load(): LoadedAssets {
  if (loaded !== undefined) return loaded;
  const own = Object.fromEntries(
    Object.entries(FILES).map(([key, [file, contentType]]) => [
      key,
      readAsset(ownFile(file), file, contentType),
    ]),
  ) as Record<keyof typeof FILES, SiteAsset>;
  const library = fileURLToPath(import.meta.resolve('@mermaid-js/tiny'));
  const scripts = [
    readAsset(library, 'mermaid.js', SCRIPT, FOR_FRAME),
    readAsset(ownFile('draw-diagrams.js'), 'draw-diagrams.js', SCRIPT, FOR_FRAME),
  ];
  const diagramFrame = toAsset(
    Buffer.from(
      `<!doctype html><meta charset="utf-8"><title>Diagrams</title>${scripts.map(({ name }) => `<script src="${name}"></script>`).join('')}`,
    ),
    'diagrams.html',
    'text/html; charset=utf-8',
    FRAME_HEADERS,
  );
  const laterStyle = toAsset(Buffer.from(laterStyles()), 'later.css', CSS, {});
  const named = { ...own, diagramFrame, laterStyle };
  loaded = {
    named,
    byName: new Map([...Object.values(named), ...scripts].map((asset) => [asset.name, asset])),
  };
  return loaded;
}

function ownFile(file: string): URL {
  return new URL(`../assets/${file}`, import.meta.url);
}

function readAsset(path: URL | string, file: string, contentType: string, headers = {}): SiteAsset {
  return toAsset(readFileSync(path), file, contentType, headers);
}

function toAsset(body: Buffer, file: string, contentType: string, headers: SiteAsset['headers']): SiteAsset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { name: file.replace('.', `.${hash}.`), contentType, body, headers };
}
