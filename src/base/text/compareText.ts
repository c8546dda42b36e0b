/** The order of every sorted list: by code unit, so that it is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
