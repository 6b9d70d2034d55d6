import { createHash } from 'node:crypto';
import type { FormatName, TreeEntry } from '../src/content/index.ts';

/** The number of pages in each folder. */
const IN_FOLDER = 100;

const LINKS = 10;

const STARLIGHT =
  "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'x' })] };\n";

/** The files by which a repository is recognized as one of the format, besides its table of contents. Formats without a row are not measured. */
const CONFIGS: Readonly<Partial<Record<FormatName, Readonly<Record<string, string>>>>> = {
  github: {},
  gitbook: {},
  mdbook: { 'book.toml': '[book]\ntitle = "Made"\nsrc = "."\n' },
  vitepress: { '.vitepress/config.ts': 'export default { title: "Made" };\n' },
  docusaurus: { 'docusaurus.config.js': 'module.exports = { title: "Made", presets: [["classic", {}]] };\n' },
  mkdocs: { 'mkdocs.yml': 'site_name: Made\n' },
  starlight: { 'astro.config.mjs': STARLIGHT },
};

export const measuredFormats = Object.keys(CONFIGS) as readonly FormatName[];

/** A generated repository of pages with headings, text, and ten links each, most of them with an anchor. */
export class GeneratedRepository {
  readonly #format: FormatName;
  readonly #pages: number;
  readonly #texts = new Map<string, string>();
  readonly #oids = new Map<string, string>();
  readonly #blobs = new Map<string, string>();

  constructor(format: FormatName, pages: number) {
    this.#format = format;
    this.#pages = pages;
    const all = Array.from({ length: pages }, (_, at) => at);
    this.#put('README.md', '# Home\n');
    for (const [path, text] of Object.entries(CONFIGS[format] ?? {})) this.#put(path, text);
    if (format === 'gitbook' || format === 'mdbook') {
      const lines = all.map((at) => `* [Page ${at}](${this.#pathOf(at)})`);
      this.#put('SUMMARY.md', `# Table of contents\n\n* [Home](README.md)\n${lines.join('\n')}\n`);
    }
    for (const at of all) this.#put(this.#pathOf(at), this.#textOf(at, `Page ${at}`));
  }

  /** As git lists it. */
  tree(): readonly TreeEntry[] {
    return [...this.#oids]
      .map(([path, oid]): TreeEntry => ({ path, oid, mode: 'file' }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The folder of the pages. */
  get folder(): string {
    return this.#format === 'starlight' ? 'src/content/docs' : 'docs';
  }

  readonly read = (entries: readonly TreeEntry[]) => this.#read(entries);

  async *#read(entries: readonly TreeEntry[]) {
    const encoder = new TextEncoder();
    for (const { oid } of entries) yield { oid, bytes: encoder.encode(this.#blobs.get(oid)) };
  }

  /** The numbers of three pages, different ones for each round up to 50. */
  samplePages(round: number): readonly number[] {
    return [0.2, 0.5, 0.8].map((part) => (Math.floor(this.#pages * part) + 3 * round) % this.#pages);
  }

  append(at: number, text: string): void {
    const path = this.#pathOf(at);
    this.#put(path, `${this.#texts.get(path)}\n${text}\n`);
  }

  rename(at: number, title: string): void {
    this.#put(this.#pathOf(at), this.#textOf(at, title));
  }

  add(path: string, text: string): void {
    this.#put(path, text);
  }

  remove(at: number): void {
    this.#texts.delete(this.#pathOf(at));
    this.#oids.delete(this.#pathOf(at));
  }

  move(at: number, path: string): void {
    const text = this.#texts.get(this.#pathOf(at)) ?? '';
    this.remove(at);
    this.#put(path, text);
  }

  #textOf(at: number, title: string): string {
    const from = Math.floor(at / IN_FOLDER);
    const links = Array.from({ length: LINKS }, (_, link) => {
      const to = (at * 7 + link * 131 + 1) % this.#pages;
      const folder = Math.floor(to / IN_FOLDER);
      const path = folder === from ? nameOf(to) : `../${folder}/${nameOf(to)}`;
      const written = this.#format === 'starlight' ? `/${folder}/page-${to}/` : path;
      return `Some words about [page ${to}](${written}${link % 3 === 0 ? '' : `#page-${to}`}) and why it matters here.`;
    });
    const top = this.#format === 'starlight' ? `---\ntitle: ${title}\n---\n\n` : '';
    return `${top}# ${title}\n\n${links.slice(0, 5).join(' ')}\n\n## Details\n\n${links.slice(5).join('\n')}\n`;
  }

  #pathOf(at: number): string {
    return `${this.folder}/${Math.floor(at / IN_FOLDER)}/${nameOf(at)}`;
  }

  #put(path: string, text: string): void {
    const oid = createHash('sha1').update(text).digest('hex');
    this.#texts.set(path, text);
    this.#oids.set(path, oid);
    this.#blobs.set(oid, text);
  }
}

function nameOf(at: number): string {
  return `page-${at}.md`;
}
