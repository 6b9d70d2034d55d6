import type { PhrasingContent, Root, RootContent, TableRow } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { Document } from 'yaml';
import { CONFIG_PATH } from '../repository/index.ts';
import type { DryRun, SpaceForecast } from './dry-run.ts';

export const PROPOSAL_TITLE = 'Configure Docloom';

/** GitHub takes bodies of 65,536 characters. */
const LIMIT = 60_000;
const UNLISTED = 10;
const ASIDES = 20;
const NAME_LENGTH = 200;

/** Names come from the repository and may hold any Markdown or HTML: they become text and code nodes, and the writer escapes them. */
const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', resourceLink: true })
  .freeze();

export interface Proposal {
  readonly run: DryRun;
  readonly branch: string;
  /** Whether nothing is synced until this is decided. */
  readonly waits: boolean;
}

/** What the pull request says that proposes a configuration. */
export function writeProposal({ run, branch, waits }: Proposal): string {
  const meanwhile = waits
    ? 'Nothing is synced until this is merged or closed.'
    : 'Docloom is at work by the same already.';
  const children: RootContent[] = [
    paragraph(
      text('This adds '),
      code(CONFIG_PATH),
      text(
        ` with the documentation that Docloom found here. ${meanwhile} Merge it to have it in your hands, and change it before or after as you like. Close it to go on without a file: Docloom then follows what it finds, and does not ask again.`,
      ),
    ),
    heading('What a sync brings'),
    table(
      ['Folder', 'Title', 'Built with', 'Pages', 'Links broken now', 'Files that become no page'],
      run.spaces.map((space) => [
        [code(space.directory || '.')],
        [text(short(space.title))],
        [text(space.format)],
        [text(String(space.pages))],
        [text(String(space.broken))],
        [text(String(space.unlisted.length))],
      ]),
    ),
    list([
      [
        strong('Made:'),
        text(' one space for each row, with these pages. Every push to '),
        code(branch),
        text(' brings it up to date, and the commit says so.'),
      ],
      [strong('Replaced:'), text(' nothing. The spaces are new and belong to this repository alone.')],
      [
        strong('Left out:'),
        text(
          ' the Markdown files of the last column, which are not published: a table of contents does not list them, or they are outside of the folder that the builder takes. Broken links stay as they are; pull requests are held only against those that they break.',
        ),
      ],
    ]),
    ...run.spaces.flatMap(unlistedOf),
    heading('What is not touched'),
    list([
      [
        text(
          'The files of this repository. The only one that Docloom writes by itself is the one in this pull request.',
        ),
      ],
      ...(run.outside === 0
        ? []
        : [
            [
              text(
                `${run.outside} Markdown ${run.outside === 1 ? 'file' : 'files'} outside of these folders.`,
              ),
            ],
          ]),
      ...(run.asides.length === 0
        ? []
        : [
            [
              text('Sites in folders that look like tests, examples or templates: '),
              ...run.asides
                .slice(0, ASIDES)
                .flatMap((one, at) => [...(at === 0 ? [] : [text(', ')]), code(short(one || '.'))]),
              text(`${run.asides.length > ASIDES ? ', …' : ''}. List one under spaces to have it synced.`),
            ],
          ]),
    ]),
    paragraph(
      text('This pull request is kept current while it is open, unless somebody changes the file in it.'),
    ),
  ];
  const root: Root = { type: 'root', children };
  return writer.stringify(root).slice(0, LIMIT);
}

function unlistedOf({ title, unlisted }: SpaceForecast): RootContent[] {
  if (unlisted.length === 0) return [];
  const more = unlisted.length > UNLISTED ? [[text(`and ${unlisted.length - UNLISTED} more`)]] : [];
  return [
    paragraph(text(`No pages of ${short(title)}:`)),
    list([...unlisted.slice(0, UNLISTED).map((path) => [code(short(path))]), ...more]),
  ];
}

function heading(value: string): RootContent {
  return { type: 'heading', depth: 3, children: [text(value)] };
}

function paragraph(...children: PhrasingContent[]): RootContent {
  return { type: 'paragraph', children };
}

function list(items: readonly (readonly PhrasingContent[])[]): RootContent {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((children) => ({
      type: 'listItem',
      spread: false,
      children: [{ type: 'paragraph', children: [...children] }],
    })),
  };
}

function table(
  head: readonly string[],
  rows: readonly (readonly (readonly PhrasingContent[])[])[],
): RootContent {
  return { type: 'table', children: [head.map((one) => [text(one)]), ...rows].map(row) };
}

function row(cells: readonly (readonly PhrasingContent[])[]): TableRow {
  return {
    type: 'tableRow',
    children: cells.map((children) => ({ type: 'tableCell', children: [...children] })),
  };
}

function text(value: string): PhrasingContent {
  // A title may mention people, who have nothing to do with it.
  return { type: 'text', value: oneLine(value).replaceAll('@', '@\u200B') };
}

function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [text(value)] };
}

function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value: oneLine(value) };
}

function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function short(value: string): string {
  return value.length <= NAME_LENGTH ? value : `${value.slice(0, NAME_LENGTH - 1)}…`;
}

/** The configuration that says what would hold without it, for people to change. */
export function writeConfig(spaces: readonly SpaceForecast[], publicUrl: string): string {
  const document = new Document({
    spaces: spaces.map(({ directory, title, format }) => ({ directory: directory || '.', title, format })),
  });
  document.commentBefore = ` yaml-language-server: $schema=${publicUrl}/schemas/docloom.json\n What Docloom does with this repository. The schema above lists every key.`;
  return document.toString({ lineWidth: 0 });
}
