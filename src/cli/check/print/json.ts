import type { CheckedLink } from '../check-result.ts';
import { type Print, tallyLinks } from './report.ts';

/** The result as one line of JSON, for programs; version 1 of this format. */
export const printJson: Print = (result, { all }) => {
  const { root, spaces, files, links, fixed } = result;
  const reported = [...links.filter((link) => all || link.status !== 'ok'), ...fixed];
  const summary = { files, ...tallyLinks(result) };
  return `${JSON.stringify({ version: 1, root, spaces, summary, links: reported.map(present) })}\n`;
};

function present(link: CheckedLink) {
  const { file, line, column, endLine, endColumn, target, status, suggestion, change } = link;
  // The format has no field for a warning, which only links have that are not broken.
  const rule = link.rule ?? link.warning?.rule ?? null;
  const message = link.message ?? link.warning?.message ?? null;
  return { file, line, column, endLine, endColumn, target, status, rule, message, suggestion, change };
}
