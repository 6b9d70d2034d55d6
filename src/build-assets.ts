/**
 * Copies what the compiler leaves behind (SQL migrations, pages' assets) next to the compiled files, and bundles the script
 * of the editor into one file.
 */
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'rolldown';

for (const folder of ['store/migrations', 'web/assets', 'sites/assets', 'sandbox/assets']) {
  if (existsSync(`src/${folder}`)) cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true });
}
if (existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755);
await build({
  input: 'src/web/editor/main.js',
  platform: 'browser',
  // Colours for HTML in Markdown would bring parsers of HTML, CSS and JavaScript, which are more than all the rest.
  resolve: { alias: { '@codemirror/lang-html': resolve('src/web/editor/plain-html.js') } },
  output: { file: 'dist/web/assets/editor.js', format: 'esm', minify: true, comments: false },
});
