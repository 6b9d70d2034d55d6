/** The largest file that is uploaded, in bytes. */
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;

interface FileKind {
  readonly extension: string;
  /** Other extensions that files of this kind have. */
  readonly also?: readonly string[];
  readonly matches: (bytes: Buffer) => boolean;
  readonly isPicture: boolean;
}

const startsWith =
  (text: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', at, at + text.length) === text;

/** What may be uploaded, by its content: a name says nothing of what browsers do with a file. */
const KINDS: readonly FileKind[] = [
  { extension: 'png', matches: startsWith('\x89PNG\r\n\x1a\n'), isPicture: true },
  { extension: 'jpg', also: ['jpeg'], matches: startsWith('\xff\xd8\xff'), isPicture: true },
  { extension: 'gif', matches: startsWith('GIF8'), isPicture: true },
  {
    extension: 'webp',
    matches: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
    isPicture: true,
  },
  { extension: 'avif', matches: startsWith('ftypavif', 4), isPicture: true },
  { extension: 'svg', matches: isSvg, isPicture: true },
  { extension: 'pdf', matches: startsWith('%PDF-'), isPicture: false },
];

/** A file that may be stored, or one sentence that says why not. */
export type CheckedUpload =
  | { readonly name: string; readonly isPicture: boolean; readonly bytes: Buffer }
  | { readonly problem: string };

/** Checks a file by its content, and names it: from its own name, or by the time for one that browsers name `image.png`. */
export function checkUpload(
  file: { readonly name: string; readonly bytes: Buffer },
  now: Date,
): CheckedUpload {
  const { bytes } = file;
  if (bytes.length === 0) return { problem: 'The file is empty.' };
  if (bytes.length > MAX_UPLOAD_BYTES)
    return { problem: `The file is larger than ${MAX_UPLOAD_BYTES / 1024 / 1024} MB. Make it smaller.` };
  const kind = KINDS.find(({ matches }) => matches(bytes));
  if (kind === undefined)
    return { problem: 'The file is no PNG, JPEG, GIF, WebP, AVIF or SVG picture and no PDF.' };
  if (kind.extension === 'svg' && RUNS.test(bytes.toString('utf8')))
    return { problem: 'The SVG has a script, or loads something from elsewhere. Remove that first.' };
  const extensions = [kind.extension, ...(kind.also ?? [])];
  const own = file.name.split(/[\\/]/).at(-1) ?? '';
  const [, stem = '', end = ''] = /^(.*?)(?:\.([^.]*))?$/s.exec(own) ?? [];
  const extension = extensions.includes(end.toLowerCase()) ? end.toLowerCase() : kind.extension;
  const plain = slugOf(stem);
  const isNamed = plain !== '' && !/^(?:image|blob|unnamed|untitled|picture)$/.test(plain);
  const name = isNamed ? plain : `pasted-${now.toISOString().slice(0, 16).replaceAll(/[:T]/g, '-')}`;
  return { name: `${name}.${extension}`, isPicture: kind.isPicture, bytes };
}

/** A name with a number, for the case that the one without is taken. */
export function numbered(name: string, number: number): string {
  return number < 2 ? name : name.replace(/(\.[^.]*)$/, `-${number}$1`);
}

/** What makes an SVG more than a picture: scripts, handlers, foreign elements, declarations, addresses of other hosts. */
const RUNS =
  /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|object|embed|handler)\b|\son[a-z]+\s*=|javascript:|<!ENTITY|<\?xml-stylesheet|@import|(?:href|src)\s*=\s*["']?\s*(?:https?:|\/\/)/i;

function isSvg(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, 4096).replace(/^\uFEFF/, '');
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE[^>[]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(
    head,
  );
}

/** Letters and digits of any script, with dashes between: what every system stores and no address needs to escape twice. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}
