import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface SiteAsset {
  /** Below `SiteFrame.assetsHref`. Contains a hash of the content, so browsers and proxies may cache it for ever. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const FILES = {
  style: ['site.css', 'text/css; charset=utf-8'],
  script: ['site.js', 'text/javascript; charset=utf-8'],
  theme: ['theme.js', 'text/javascript; charset=utf-8'],
  favicon: ['favicon.svg', 'image/svg+xml'],
} as const;

let loaded: Readonly<Record<keyof typeof FILES, SiteAsset>> | undefined;

/** What the pages of all sites load. Read once, because files of the program do not change while it runs. */
export function siteAssets(): Readonly<Record<keyof typeof FILES, SiteAsset>> {
  loaded ??= {
    style: load(...FILES.style),
    script: load(...FILES.script),
    theme: load(...FILES.theme),
    favicon: load(...FILES.favicon),
  };
  return loaded;
}

function load(file: string, contentType: string): SiteAsset {
  const body = readFileSync(new URL(`../assets/${file}`, import.meta.url));
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { name: file.replace('.', `.${hash}.`), contentType, body };
}
