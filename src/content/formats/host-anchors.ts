import type { LinkRules } from '../format-port/index.ts';
import { anchorNames, hasAnchor } from '../links/index.ts';
import type { FileFacts, RepoPath } from '../model/index.ts';
import { githubHeadings } from '../text/index.ts';

/**
 * The rules of files that a builder leaves out and people read on the repository's host. `isBuilt` is true for pages whose
 * facts name headings as the builder does; on the host those headings have the host's names.
 */
export function withHostAnchors(rules: LinkRules, isBuilt: (path: RepoPath) => boolean): LinkRules {
  return {
    ...rules,
    checkAnchor(question) {
      if (!isBuilt(question.page)) return rules.checkAnchor(question);
      const facts = hostFacts(question.facts);
      return hasAnchor(facts, question.anchor)
        ? { status: 'ok' }
        : { status: 'broken', names: anchorNames(facts) };
    },
  };
}

const namedAnew = new WeakMap<FileFacts, FileFacts>();

/** The facts of a page, with its headings named as the host names them. */
function hostFacts(facts: FileFacts): FileFacts {
  let renamed = namedAnew.get(facts);
  if (renamed === undefined) {
    const namer = githubHeadings();
    let lastLine = 0;
    const anchors = facts.anchors.flatMap((anchor) => {
      if (anchor.heading === null) return [anchor];
      // A heading with several names stands there once.
      if (anchor.line === lastLine) return [];
      lastLine = anchor.line;
      return namer.name(anchor.heading, anchor.level, []).names.map((name) => ({ ...anchor, name }));
    });
    renamed = { ...facts, anchors };
    namedAnew.set(facts, renamed);
  }
  return renamed;
}
