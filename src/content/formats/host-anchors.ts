import type { LinkRules } from '../format-port/index.ts';
import { anchorNames, hasAnchor } from '../links/index.ts';
import type { FileFacts, RepoPath } from '../model/index.ts';
import { githubHeadings } from '../text/index.ts';

/**
 * The rules of files that a builder does not publish and people read on the repository's host. `isBuilt` is true for pages
 * whose facts contain the builder's names of headings, which are replaced by the host's.
 */
export function withHostAnchors(rules: LinkRules, isBuilt: (path: RepoPath) => boolean): LinkRules {
  return {
    ...rules,
    checkAnchor(query) {
      if (!isBuilt(query.page)) return rules.checkAnchor(query);
      const facts = hostFacts(query.facts);
      return hasAnchor(facts, query.anchor)
        ? { status: 'ok' }
        : { status: 'broken', names: anchorNames(facts) };
    },
  };
}

const cache = new WeakMap<FileFacts, FileFacts>();

/** The facts of a page, with the host's names of its headings. */
function hostFacts(facts: FileFacts): FileFacts {
  let renamed = cache.get(facts);
  if (renamed === undefined) {
    const namer = githubHeadings();
    let lastLine = 0;
    const anchors = facts.anchors.flatMap((anchor) => {
      if (anchor.heading === null) return [anchor];
      // A heading with several names is listed once for each.
      if (anchor.line === lastLine) return [];
      lastLine = anchor.line;
      return namer.name(anchor.heading, anchor.level, []).names.map((name) => ({ ...anchor, name }));
    });
    renamed = { ...facts, anchors };
    cache.set(facts, renamed);
  }
  return renamed;
}
