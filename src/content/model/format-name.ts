/** The documentation formats, in the order in which they may claim a folder; `formats/index.ts` has a row for each. */
export const formatNames = [
  'mdbook',
  'mkdocs',
  'vitepress',
  'gitbook',
  'docusaurus',
  'starlight',
  'github',
] as const;

export type FormatName = (typeof formatNames)[number];
