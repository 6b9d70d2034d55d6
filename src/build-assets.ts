/**
 * Copies what the compiler leaves behind (SQL migrations, pages' assets) next to the compiled files, and bundles the script
 * of the editor into one file.
 */
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { buildEditor } from './build-editor.ts';

for (const folder of ['store/migrations', 'web/assets', 'sites/assets', 'sandbox/assets']) {
  if (existsSync(`src/${folder}`)) cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true });
}
if (existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755);
await buildEditor();
