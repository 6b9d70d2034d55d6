/** Prometheus's text format, version 0.0.4. https://prometheus.io/docs/instrumenting/exposition_formats/ */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** Of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
}

export interface Metric {
  readonly name: string;
  /** One line. */
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: readonly Sample[];
}

export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ labels, value, suffix = '' }) => `${name}${suffix}${writeLabels(labels)} ${value}`,
      );
      return [`# HELP ${name} ${help.replace(/[\\\n]/g, ' ')}`, `# TYPE ${name} ${type}`, ...lines, ''].join(
        '\n',
      );
    })
    .join('');
}

function writeLabels(labels: Labels | undefined): string {
  const entries = Object.entries(labels ?? {});
  if (entries.length === 0) return '';
  return `{${entries.map(([name, value]) => `${name}="${escapeLabel(String(value))}"`).join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
