import { html } from '../../markup/index.ts';
import { homePath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';

export interface MessageOptions {
  readonly title: string;
  readonly sentence: string;
  /** Where to go from here, when not to the spaces. */
  readonly link?: { readonly path: string; readonly label: string };
  readonly user?: { readonly displayName: string } | null;
}

/** A page with a single sentence, such as an error. */
export function renderMessage({ title, sentence, link, user }: MessageOptions): string {
  return renderLayout({
    title,
    user: user ?? null,
    main: html`<div class="narrow"><h1>${title}</h1>
<p class="lead">${sentence}</p>
<p><a href="${link?.path ?? homePath}">${link?.label ?? 'Go to the spaces'}</a></p></div>`,
  });
}
