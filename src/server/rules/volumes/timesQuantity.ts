/** A multiple of a quantity, in its own unit: 3 times `500m` is `1500m` (platform/concepts.quantities). */
export function timesQuantity(times: number, quantity: string): string {
  const [, amount = '0', unit = ''] = /^([+-]?[0-9.]+)(.*)$/.exec(quantity) ?? [];
  // Removes rounding errors of decimals such as 0.30000000000000004.
  const product = Math.round(Number(amount) * times * 1e9) / 1e9;
  return `${product}${unit}`;
}
