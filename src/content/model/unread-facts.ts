import type { FileFacts, Problem } from './file-facts.ts';
import { MAX_PAGE_BYTES } from './limits.ts';

/** The facts of a file above `MAX_PAGE_BYTES`, which need not be fetched. */
export function tooLargeFacts(): FileFacts {
  const limit = MAX_PAGE_BYTES / 1024 / 1024;
  return emptyFacts({ message: `The file is larger than ${limit} MB and was not read.`, line: null });
}

/** The facts of a file whose bytes are stored in Git LFS. */
export function pointerFacts(): FileFacts {
  const message =
    'The file is stored in Git LFS: the repository contains only a pointer to its text, which was not read. Remove Markdown from .gitattributes to have it read.';
  return emptyFacts({ message, line: null });
}

/** The facts of a file that was not read as a whole; `message` is one sentence that says why. */
export function unreadFacts(message: string): FileFacts {
  return emptyFacts({ message, line: null });
}

/** The facts of a file that was not read; `problem` says why. */
export function emptyFacts(problem: Problem): FileFacts {
  return {
    references: [],
    anchors: [],
    title: null,
    frontMatter: {},
    problems: [problem],
    complete: false,
    symlinkTarget: null,
    contents: null,
  };
}
