/**
 * The addresses of a `srcset`, without their widths and densities. A list with one candidate may hold an address
 * with spaces, as hand-written documentation does, so spaces split only before a descriptor (`2x`, `480w`).
 */
export function splitSrcset(srcset: string): readonly string[] {
  return srcset
    .split(/,\s+|,$/)
    .map((candidate) => candidate.trim().replace(/\s+[\d.]+[xwh]$/, ''))
    .filter((address) => address !== '');
}
