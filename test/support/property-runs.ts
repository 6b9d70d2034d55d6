/**
 * How often a property is tried: as often as said here, times the environment's PROPERTY_RUNS, a number. CI tries more
 * than `npm test`, and someone who changed a parser more than CI.
 */
export function propertyRuns(count: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(count * Number(process.env['PROPERTY_RUNS'] || 1)) };
}
