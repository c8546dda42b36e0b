/** A decimal number, then an exponent or a unit. At most 20 characters (platform/concepts.quantities). */
const grammar = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|(Ki|Mi|Gi|Ti|Pi|n|u|m|k|K|M|G|T|P)?)$/;

const decimalUnits = { n: -9, u: -6, m: -3, k: 3, K: 3, M: 6, G: 9, T: 12, P: 15 } as const;
const binaryUnits = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5 } as const;

const decimalExponents: ReadonlyMap<string, number> = new Map(Object.entries(decimalUnits));
const binaryExponents: ReadonlyMap<string, number> = new Map(Object.entries(binaryUnits));

/**
 * The value times ten to the power `shift`, exact: equal quantities give the same number, in any spelling. Uses integer
 * arithmetic on the digits, with one correctly rounded conversion at the end.
 */
function exactValue(text: string, shift: number): number | undefined {
  if (text.length > 20) return undefined;
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0', unit = ''] = match;
  if (whole === '' && fraction === '') return undefined;

  const binary = binaryExponents.get(unit) ?? 0;
  const significand = (BigInt(`${whole}${fraction}`) * 1024n ** BigInt(binary)).toString();
  const power = Number(exponent) + (decimalExponents.get(unit) ?? 0) - fraction.length + shift;
  const value = Number(`${sign}${significand}e${power}`);
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Cached: thousands of records use the same few quantities. */
function remembered(shift: number): (text: string) => number | undefined {
  const values = new Map<string, number | undefined>();
  return (text) => {
    if (values.has(text)) return values.get(text);
    if (values.size >= 1_000) values.clear();
    const value = exactValue(text, shift);
    values.set(text, value);
    return value;
  };
}

const cpuValue = remembered(3);
const baseValue = remembered(0);

/**
 * Cores or bytes, for comparing quantities of the same type: equal ones give the same number. Undefined if it is not a
 * quantity.
 */
export function quantityValue(text: string | number): number | undefined {
  return baseValue(String(text));
}

/**
 * Millicores. A plain number is cores: `0.1`, `100m` and `1e-1` are 100. Undefined if it is not a quantity
 * (platform/concepts.quantities).
 */
export function cpuMillicores(text: string | number): number | undefined {
  return cpuValue(String(text));
}

/**
 * Bytes. `Ki` to `Pi` are powers of 1024, `k` to `P` of 1000. Undefined if it is not a quantity
 * (platform/concepts.quantities).
 */
export function memoryBytes(text: string | number): number | undefined {
  return quantityValue(text);
}
