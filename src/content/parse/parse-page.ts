import { createMdastHandle, createMdxMdastHandle, dropHandle, MdastReader, serializeHandle } from 'satteri';
import { PageTree } from './page-tree.ts';
import { features } from './parse-markdown.ts';

type Handle = Parameters<typeof serializeHandle>[0];

/** Parses like `parseMarkdown`, for a walk that does not need every node. What `isCostlyMdx` is refused by the caller. */
export function parsePage(source: string, syntax: 'markdown' | 'mdx' = 'markdown'): PageTree {
  if (syntax === 'mdx') {
    try {
      return treeOf(createMdxMdastHandle(source, features));
    } catch {
      // As in `parseMarkdown`.
    }
  }
  return treeOf(createMdastHandle(source, features));
}

function treeOf(handle: Handle): PageTree {
  try {
    return new PageTree(new MdastReader(serializeHandle(handle)));
  } finally {
    dropHandle(handle);
  }
}
