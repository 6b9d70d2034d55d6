/** Parses MDX as the reader of pages does, without what protects it. */
import { mdxToMdast } from 'satteri';
import { serveThread } from '../../src/threads/index.ts';

serveThread(async (source: string) => {
  try {
    return mdxToMdast(source).type;
  } catch {
    // Most of it is not valid.
    return 'root';
  }
});
