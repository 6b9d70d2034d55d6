export { ArchiveDamaged } from './archive.ts';
export type { BackupManifest } from './backup-records.ts';
export { RestoreRefused, type RestoreSummary, restoreBackup, verifyBackup } from './restore-backup.ts';
export { type BackupSummary, writeBackup } from './write-backup.ts';
