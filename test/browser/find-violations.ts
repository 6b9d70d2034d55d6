import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** As far as it is used here. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The rules of axe that read colors: those about them, and the one about the headings of tables, which it tells from tables
 * that only lay something out also by the colors of their rows.
 */
const OF_COLORS = ['color-contrast', 'link-in-text-block', 'th-has-data-cells'];

/**
 * What axe finds on the open page, by all of its rules: a line for each element. Only the order of the headings in an article
 * is left to its author. Where everything stands where it stood when the same document had no violations, as in another
 * color scheme, only colors can differ, so that the rules that read none are not run again.
 */
export async function findViolations(page: Page): Promise<string[]> {
  const run = () =>
    page.evaluate<Violation[] | null>(`(async () => {
      if (window.axe === undefined) return null;
      const boxes = [...document.querySelectorAll('*')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        return [x + scrollX, y + scrollY, width, height, element.scrollWidth, element.scrollHeight, isShown].join();
      });
      const seen = [document.documentElement.outerHTML, ...boxes].join('\\n');
      const onlyColors = window.seenByAxe === seen;
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        ...(onlyColors ? { runOnly: ${JSON.stringify(OF_COLORS)} } : {}),
      });
      const isOfAuthor = ({ target: [selector] }) => document.querySelector(selector)?.closest('article.content');
      const found = violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes
          .filter((node) => id !== 'heading-order' || !isOfAuthor(node))
          .map(({ target, html }) => ({ target, html })),
      }));
      if (!onlyColors) window.seenByAxe = found.every(({ nodes }) => nodes.length === 0) ? seen : undefined;
      return found;
    })()`);
  let violations = await run();
  if (violations === null) {
    // The policy of the pages lets no script in; a test may still evaluate one.
    await page.evaluate(axe);
    violations = await run();
  }
  return (violations ?? []).flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html.slice(0, 120)}`),
  );
}
