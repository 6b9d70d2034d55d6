/** How the look of a site is shown before it is saved. */
export interface SiteLooks {
  /** A page of samples, and the headers without which it must not be sent. */
  renderSample(sample: {
    readonly title: string;
    readonly choice: Readonly<Record<string, unknown>>;
    readonly theme: 'light' | 'dark';
    readonly note: string;
  }): { readonly html: string; readonly headers: Readonly<Record<string, string>> };
  /** The colours in which links cannot be read, and those in which sites write them instead. */
  findWeakColors(colors: {
    readonly light: string;
    readonly dark: string;
  }): Readonly<Record<'light' | 'dark', { readonly contrast: number; readonly readable: string } | null>>;
}
