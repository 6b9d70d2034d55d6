import { html } from '../html.ts';
import { renderLayout } from '../layout.ts';

export interface MessageOptions {
  readonly title: string;
  readonly sentence: string;
  readonly user?: { readonly displayName: string } | null;
}

/** A page with a single sentence, such as an error. */
export function renderMessage({ title, sentence, user }: MessageOptions): string {
  return renderLayout({
    title,
    user: user ?? null,
    main: html`<div class="narrow"><h1>${title}</h1>
<p class="lead">${sentence}</p>
<p><a href="/">Go to the spaces</a></p></div>`,
  });
}
