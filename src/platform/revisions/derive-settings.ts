import type { SpaceSettings } from '../../content/index.ts';
import type { SettingRow } from '../../store/index.ts';
import type { ContentNames } from './name-content.ts';

/** The settings of a space as rows, one after the other: they may be tens of thousands. Of rows with the same key, the last one counts. */
export function* deriveSettings(
  { reusable, variables, redirects, languages = [] }: SpaceSettings,
  names: ContentNames,
): Iterable<SettingRow> {
  const row = (kind: string, name: string, value: string): SettingRow => ({
    key: `${kind}:${name}`,
    kind,
    name,
    value,
    contentId: null,
    gitOid: null,
  });
  for (const [name, value] of Object.entries(variables)) yield row('variable', name, value);
  for (const [name, value] of redirects) yield row('redirect', name, value);
  for (const { folder, language, isDefault } of languages)
    yield row(isDefault ? 'default-language' : 'language', folder, language);
  for (const { path, oid, title } of reusable)
    yield {
      ...row('reusable', path, title),
      contentId: names.idOf('reusable', path),
      gitOid: oid,
    };
}
