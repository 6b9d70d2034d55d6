import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { renderPage } from '../../src/content/render/index.ts';
import { html, sanitised } from '../../src/web/html.ts';
import { ID_PREFIX, renderLayout } from '../../src/web/layout.ts';

const folder = 'fixtures/render';

interface Table {
  readonly dialect: string;
  readonly rows: readonly { readonly name: string; readonly markdown: string }[];
}

/** One page with every kind of block that any dialect has: the rows of fixtures/render. `picture` stands for all pictures. */
export async function renderBlockGallery(picture: string): Promise<string> {
  const parts: string[] = [];
  for (const name of readdirSync(folder).filter((name) => name !== 'hostile.yaml')) {
    const { dialect, rows } = parse(readFileSync(`${folder}/${name}`, 'utf8')) as Table;
    for (const { markdown } of rows) {
      const part = await renderPage(markdown, {
        dialect,
        reservedIds: ID_PREFIX,
        highlight: true,
        resolveLink: () => '/',
        resolveImage: () => picture,
      });
      // Each row is a page of its own, with ids of its own.
      parts.push(
        part.replace(/ (id|aria-describedby|href)="(#?)(?!\/|https?:|mailto:)/g, ` $1="$2r${parts.length}-`),
      );
    }
  }
  return renderLayout({
    title: 'All blocks',
    main: html`<h1>All blocks</h1><article class="content">${sanitised(parts.join('\n'))}</article>`,
  });
}
