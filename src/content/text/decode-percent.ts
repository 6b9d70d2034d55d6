/**
 * Percent-decodes a URL's path or fragment once, as the URL standard does: what is not percent-encoded (`%u2019`, a lone
 * `%`) or not UTF-8 stays as written (https://url.spec.whatwg.org/#percent-decode).
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
