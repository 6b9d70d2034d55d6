/** Parses MDX as the reader of pages does, without what protects it. */
import { mdxToMdast } from 'satteri';
import { serveThread } from '../../src/threads/index.ts';

serveThread(async (source: string) => mdxToMdast(source).type);
