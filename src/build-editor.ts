/** Bundles the script of the editor into one file next to the compiled files. */
import { resolve } from 'node:path';
import { build } from 'rolldown';

export async function buildEditor(): Promise<void> {
  await build({
    input: 'src/web/editor/main.js',
    platform: 'browser',
    // Colours for HTML in Markdown would bring parsers of HTML, CSS and JavaScript, which are more than all the rest.
    resolve: { alias: { '@codemirror/lang-html': resolve('src/web/editor/plain-html.js') } },
    output: { file: 'dist/web/assets/editor.js', format: 'esm', minify: true, comments: false },
  });
}
