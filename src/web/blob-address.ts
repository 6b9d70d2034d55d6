/**
 * The address of a line of a file in the browser. Every segment is percent-encoded, so that no file name can leave its
 * place in it. GitHub shows the lines of Markdown only in its plain view.
 */
export function blobAddress(
  blobUrl: string,
  { file, line }: { readonly file: string; readonly line: number },
): string {
  return `${blobUrl}${file.split('/').map(encodeURIComponent).join('/')}?plain=1#L${line}`;
}
