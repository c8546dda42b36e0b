import type { Value } from '../../terraform/model/value.ts';

/**
 * A number of a message. Terraform counts in decimals of 512 bits: what is neither a 64-bit integer nor exactly a binary
 * fraction comes as a text, `0.1` too. What does not fit stays what it was, so that it can be refused and is never
 * rounded: a `bigint`, or the text.
 */
export function readNumber(value: unknown): Value {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : value;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (/^-?\d+$/.test(value)) return readNumber(BigInt(value));
  const number = Number(value);
  return Number.isFinite(number) && digitsOf(String(number)) === digitsOf(value) ? number : value;
}

/** Fractions as text: Terraform would take the bits of `0.1` for another number than the `0.1` of a configuration. */
export function writtenNumber(value: number): number | string {
  return Number.isInteger(value) ? value : String(value);
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
}

/** The digits that count, and the power of ten of the last one: equal for `1.50`, `1.5` and `15e-1`. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return significant === '' ? '0' : `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
