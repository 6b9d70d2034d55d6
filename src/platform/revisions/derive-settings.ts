import type { SpaceSettings } from '../../content/index.ts';
import type { SettingRow } from '../../store/settings.ts';
import type { ContentNames } from './name-content.ts';

/** What a space says beside its pages and files, as rows by their keys. */
export function deriveSettings(
  { reusable, variables, redirects }: SpaceSettings,
  names: ContentNames,
): ReadonlyMap<string, SettingRow> {
  const none = { contentId: null, gitOid: null };
  const rows: readonly Omit<SettingRow, 'key'>[] = [
    ...Object.entries(variables).map(([name, value]) => ({ kind: 'variable', name, value, ...none })),
    ...[...redirects].map(([name, value]) => ({ kind: 'redirect', name, value, ...none })),
    ...reusable.map(({ path, oid, title }) => ({
      kind: 'reusable',
      name: path,
      value: title,
      contentId: names.idOf('reusable', path),
      gitOid: oid,
    })),
  ];
  return new Map(
    rows.map((row) => {
      const key = `${row.kind}:${row.name}`;
      return [key, { key, ...row }];
    }),
  );
}
