/** What blocks without a title of their own are called, by the English name in lower case. */
export type BlockTitles = Readonly<Record<string, string>>;

/** The title of a block whose author wrote none: in the language of `titles`, else its name in English. */
export function titleOfBlock(name: string, titles: BlockTitles): string {
  const key = name.toLowerCase();
  const known = Object.hasOwn(titles, key) ? titles[key] : undefined;
  return known ?? name.charAt(0).toUpperCase() + name.slice(1);
}
