import type { SpaceSettings } from '../../content/index.ts';
import type { SettingRow } from '../../store/index.ts';
import type { ContentNames } from './name-content.ts';

/** The settings of a space as rows. Of rows with the same key, the last one counts. */
export function deriveSettings(
  { reusable, variables, redirects, languages = [] }: SpaceSettings,
  names: ContentNames,
): readonly SettingRow[] {
  const none = { contentId: null, gitOid: null };
  const rows: readonly Omit<SettingRow, 'key'>[] = [
    ...Object.entries(variables).map(([name, value]) => ({ kind: 'variable', name, value, ...none })),
    ...[...redirects].map(([name, value]) => ({ kind: 'redirect', name, value, ...none })),
    ...languages.map(({ folder, language, isDefault }) => ({
      kind: isDefault ? 'default-language' : 'language',
      name: folder,
      value: language,
      ...none,
    })),
    ...reusable.map(({ path, oid, title }) => ({
      kind: 'reusable',
      name: path,
      value: title,
      contentId: names.idOf('reusable', path),
      gitOid: oid,
    })),
  ];
  return rows.map((row) => ({ key: `${row.kind}:${row.name}`, ...row }));
}
