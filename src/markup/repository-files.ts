/** How bytes of repositories are sent to browsers: they are content of others, and never run as pages of this server. */

/** Opened on its own, a file runs in a sandbox without rights, whatever it contains. */
export const fileSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Types that browsers show as pictures without running anything. All others are served as downloads. */
const PICTURES: ReadonlySet<string> = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'image/x-icon',
]);

/** The headers that describe a file: a picture is shown, everything else is downloaded under its name. */
export function fileHeaders(file: {
  readonly name: string;
  readonly contentType: string;
}): Readonly<Record<string, string>> {
  const type = file.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (PICTURES.has(type)) return { 'content-type': type };
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(file.name)}`,
  };
}

/** The last part of a path, encoded as a file name for a header (RFC 8187). */
function encodeName(name: string): string {
  const last = name.split('/').at(-1) ?? 'file';
  return encodeURIComponent(last.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
