import type { RootContent } from 'mdast';
import { Document } from 'yaml';
import { markdown } from '../api/index.ts';
import { CONFIG_PATH } from '../repository/index.ts';
import type { DryRun, SpaceForecast } from './dry-run.ts';

const { BODY_LIMIT, code, heading, list, paragraph, row, short, strong, table, text, writeMarkdown } =
  markdown;

export const PROPOSAL_TITLE = 'Configure Docloom';

/** How many files without a page, and how many folders beside the spaces, are named. */
const MAX_UNLISTED = 10;
const MAX_ASIDES = 20;

export interface ProposalText {
  readonly run: DryRun;
  readonly branch: string;
  /** Whether nothing is synced until this is decided. */
  readonly waits: boolean;
}

/** The text of the pull request that proposes a configuration. */
export function writeProposal({ run, branch, waits }: ProposalText): string {
  const meanwhile = waits
    ? 'Nothing is synced until this is merged or closed.'
    : 'Docloom already syncs with the same settings.';
  const children: RootContent[] = [
    paragraph([
      text('This adds '),
      code(CONFIG_PATH),
      text(
        ` with the documentation that Docloom found here. ${meanwhile} Merge it to control the settings, and change them before or after as you like. Close it to continue without a file: Docloom then syncs what it finds, and does not propose this again.`,
      ),
    ]),
    heading('What is synced'),
    table(
      ['Folder', 'Title', 'Built with', 'Pages', 'Links broken now', 'Files that become no page'],
      run.spaces.map((space) =>
        row([
          [code(space.directory || '.')],
          [text(short(space.title))],
          [text(space.format)],
          [text(String(space.pages))],
          [text(String(space.broken))],
          [text(String(space.unlisted.length))],
        ]),
      ),
    ),
    list([
      [
        strong('Created:'),
        text(' one space for each row, with these pages. Every push to '),
        code(branch),
        text(' updates it, and a status of the commit shows the result.'),
      ],
      [strong('Replaced:'), text(' nothing. The spaces are new and belong to this repository alone.')],
      [
        strong('Left out:'),
        text(
          ' the Markdown files of the last column, which are not published: a table of contents does not list them, or they are outside the folder that the builder reads. Broken links stay as they are; a pull request fails only for those that it breaks.',
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
                .slice(0, MAX_ASIDES)
                .flatMap((aside, at) => [...(at === 0 ? [] : [text(', ')]), code(short(aside || '.'))]),
              text(
                `${run.asides.length > MAX_ASIDES ? ', …' : ''}. List one under spaces to have it synced.`,
              ),
            ],
          ]),
    ]),
    paragraph([
      text('This pull request is kept current while it is open, unless somebody changes the file in it.'),
    ]),
  ];
  return writeMarkdown(children).slice(0, BODY_LIMIT);
}

function unlistedOf({ title, unlisted }: SpaceForecast): RootContent[] {
  if (unlisted.length === 0) return [];
  const more = unlisted.length > MAX_UNLISTED ? [[text(`and ${unlisted.length - MAX_UNLISTED} more`)]] : [];
  return [
    paragraph([text(`No pages of ${short(title)}:`)]),
    list([...unlisted.slice(0, MAX_UNLISTED).map((path) => [code(short(path))]), ...more]),
  ];
}

/** A configuration with the same effect as none, for people to change. */
export function writeConfig(spaces: readonly SpaceForecast[], publicUrl: string): string {
  const document = new Document({
    spaces: spaces.map(({ directory, title, format }) => ({ directory: directory || '.', title, format })),
  });
  document.commentBefore = ` yaml-language-server: $schema=${publicUrl}/schemas/docloom.json\n What Docloom does with this repository. The schema above lists every key.`;
  return document.toString({ lineWidth: 0 });
}
