/** A path made of the title, beside another page. */
export function pathFor(title: string, beside: string): string {
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1);
  const extension = /\.mdx?$/.exec(beside)?.[0] ?? '.md';
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${folder}${slug || 'page'}${extension}`;
}
