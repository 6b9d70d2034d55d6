import type { Print } from './report.ts';

/** The report formats; each is loaded on first use. */
export const printers = {
  pretty: async () => (await import('./pretty.ts')).printPretty,
  json: async () => (await import('./json.ts')).printJson,
  sarif: async () => (await import('./sarif.ts')).printSarif,
  junit: async () => (await import('./junit.ts')).printJunit,
  github: async () => (await import('./github.ts')).printGithub,
} as const satisfies Readonly<Record<string, () => Promise<Print>>>;

export type ReportFormat = keyof typeof printers;
