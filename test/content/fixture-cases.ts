import type { Format } from '../../src/content/format-port/index.ts';
import { repositoryFiles } from '../../src/content/format-port/index.ts';
import type { FormatName, Page, RepositoryAddress, SpaceAnalysis } from '../../src/content/index.ts';
import { analysisOf, type SmallTree, treeOf } from './analysis-of.ts';
import { filesOfTexts } from './files-of-texts.ts';

/** A format and its name. */
export interface NamedFormat {
  readonly name: FormatName;
  readonly format: Format;
}

/** A table of verdicts: one small repository, and Markdown that is written into one of its pages. */
export interface VerdictTable extends SmallTree {
  readonly repository?: RepositoryAddress;
  /** The space's folder; the root when absent. */
  readonly directory?: string;
  /** Folders of other spaces. */
  readonly siblings?: readonly string[];
  /** The page that each case is written into. */
  readonly in: string;
  /** Verdicts include the span of each link: ` @line:column-endLine:endColumn`. */
  readonly places?: boolean;
  /**
   * Markdown → verdict: a status, or the rule of a broken link, in parentheses the rule of a warning, and after an arrow
   * the suggestion. `text` for Markdown without a link; one line for each of several links, in their order.
   */
  readonly cases: Readonly<Record<string, string>>;
}

/** Analyses the space of a table with a case in its page. */
export function analyseCase(table: VerdictTable, markdown: string, named: NamedFormat): SpaceAnalysis {
  const { repository, directory = '', siblings: siblingDirectories = [] } = table;
  const files = { ...table.files, [table.in]: `${markdown}\n` };
  return analysisOf(
    { ...table, files },
    { ...named, directory, siblingDirectories, ...(repository === undefined ? {} : { repository }) },
  );
}

/** Writes the verdicts of the links in a table's page as the table has them. */
export function describeVerdicts({ links }: SpaceAnalysis, table: VerdictTable): string {
  const verdicts = links
    .filter((link) => link.file === table.in)
    .map((link) => {
      const warning = link.warning === null ? '' : ` (${link.warning.rule})`;
      const suggestion = link.suggestion === null ? '' : ` -> ${link.suggestion}`;
      const { line, column, endLine, endColumn } = link;
      const place = table.places === true ? ` @${line}:${column}-${endLine}:${endColumn}` : '';
      return `${link.rule ?? link.status}${warning}${suggestion}${place}`;
    });
  return verdicts.length === 0 ? 'text' : verdicts.join('\n');
}

/** The folders that a format detects in a small repository, with their titles: `guide (Guide)`. */
export function detectedIn(small: SmallTree, { format }: Pick<NamedFormat, 'format'>) {
  const { tree, blobs } = treeOf(small);
  return format.detect(
    repositoryFiles(
      tree,
      filesOfTexts(({ oid }) => blobs.get(oid)),
    ),
  );
}

const marks = { document: '', group: '~', link: '=', computed: '*' };

/** Writes a navigation as `pages.yaml` has it: `title (path) file`, nested by indent. */
export function describePages(pages: readonly Page[], indent = ''): string {
  return pages
    .map((page) => {
      const extra = [
        page.description === null ? '' : `[${page.description}]`,
        page.icon,
        page.hidden ? 'hidden' : '',
      ];
      const words = [`${marks[page.type]}${page.title}`, `(${page.path})`, page.file ?? page.href, ...extra];
      return `${indent}${words.filter(Boolean).join(' ')}\n${describePages(page.pages, `${indent}  `)}`;
    })
    .join('');
}
