/** Warms up, shows short pages, and prints the modules that only they had loaded. */
import { registerHooks } from 'node:module';
import { contentThreads, warmUp } from '../../src/threads/index.ts';

const warm = process.argv.includes('warm');
if (warm) await warmUp(contentThreads);
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const page = {
  markdown: '# Title\n\n## Part\n\n![p](p.png)\n\n```python\nx = 1\n```\n\n$$\ny\n$$\n\n> [!NOTE]\n> z\n',
  dialect: 'github',
  reservedIds: 'frame-',
  isForSite: true,
  addresses: new Map(),
  operations: new Map(),
  privateSpecs: new Set<string>(),
};
for (const dialect of ['github', 'mkdocs', 'vitepress', 'gitbook']) {
  await contentThreads.render({ ...page, dialect });
  await contentThreads.write({ ...page, dialect, references: new Map() });
  await contentThreads.compose({ path: 'a.md', text: page.markdown, dialect, parts: [] }, new Map(), {
    isImport: false,
  });
}
await contentThreads.comparePages(null, page);
await contentThreads.compareTexts('a\nb\n', 'a\nc\n');
await contentThreads.mergeTexts('a\nb\n', 'a\nc\n', 'd\na\nb\n');
await contentThreads.readSections(page.markdown, []);
await contentThreads.findSegments(page.markdown, 'a.md');
console.log(JSON.stringify(loaded));
