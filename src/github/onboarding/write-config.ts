import { Document } from 'yaml';
import type { SpaceForecast } from './dry-run.ts';

/** The configuration that says what would hold without it, for people to change. */
export function writeConfig(spaces: readonly SpaceForecast[], publicUrl: string): string {
  const document = new Document({
    spaces: spaces.map(({ directory, title, format }) => ({ directory: directory || '.', title, format })),
  });
  document.commentBefore = ` yaml-language-server: $schema=${publicUrl}/schemas/docloom.json\n What Docloom does with this repository. The schema above lists every key.`;
  return document.toString({ lineWidth: 0 });
}
