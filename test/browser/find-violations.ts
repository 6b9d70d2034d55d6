import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** As far as it is used here. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
}

/**
 * What axe finds on the open page, by all of its rules: a line for each element. Only the order of the headings in an article
 * is left to its author.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // The policy of the pages lets no script in; a test may still evaluate one.
  await page.evaluate(`if (!window.axe) { ${axe.source} }`);
  const violations = await page.evaluate<Violation[]>(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    const isOfAuthor = ({ target: [selector] }) => document.querySelector(selector)?.closest('article.content');
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.filter((node) => id !== 'heading-order' || !isOfAuthor(node)).map(({ target, html }) => ({ target, html })),
    }));
  })()`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html.slice(0, 120)}`),
  );
}
