import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type OutlineEntry, type RenderOptions, renderPageParts } from '../../src/content/render/index.ts';
import { html, sanitised } from '../../src/markup/index.ts';
import { ID_PREFIX, renderLayout } from '../../src/web/layout.ts';

const folder = 'fixtures/render';

interface Table {
  readonly dialect: string;
  readonly rows: readonly { readonly name: string; readonly markdown: string }[];
}

export interface RenderedBlocks {
  readonly body: string;
  readonly outline: readonly OutlineEntry[];
}

/** Every kind of block that any dialect has: the rows of fixtures/render. `picture` stands for all pictures. */
export async function renderBlocks(
  picture: string,
  options: Pick<RenderOptions, 'isForSite'> = {},
): Promise<RenderedBlocks> {
  const parts: string[] = [];
  const outline: OutlineEntry[] = [];
  for (const name of readdirSync(folder).filter((name) => name !== 'hostile.yaml')) {
    const { dialect, rows } = parse(readFileSync(`${folder}/${name}`, 'utf8')) as Table;
    for (const { markdown } of rows) {
      const page = await renderPageParts(markdown, {
        ...options,
        dialect,
        reservedIds: ID_PREFIX,
        highlight: true,
        resolveLink: () => '/',
        resolveImage: () => picture,
      });
      // Each row is a page of its own, with ids and names of its own.
      const prefix = `r${parts.length}-`;
      const part = `${page.title ?? ''}${page.body}`;
      parts.push(
        part.replace(/ (id|name|aria-describedby|href)="(#?)(?!\/|https?:|mailto:)/g, ` $1="$2${prefix}`),
      );
      outline.push(...page.outline.map((entry) => ({ ...entry, id: `${prefix}${entry.id}` })));
    }
  }
  return { body: parts.join('\n'), outline };
}

/** A page of the team with every kind of block. */
export async function renderBlockGallery(picture: string): Promise<string> {
  const { body } = await renderBlocks(picture);
  return renderLayout({
    title: 'All blocks',
    main: html`<h1>All blocks</h1><article class="content">${sanitised(body)}</article>`,
  });
}
