const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** The pattern for JSON Schemas. */
export const durationPattern = '^(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ms|[smhdw]))+$';
const whole = new RegExp(durationPattern);
const part = /(\d+(?:\.\d+)?)(ms|[smhdw])/g;

/**
 * Parses a duration such as `20ms`, `1.5s`, `36h` or `1h30m`, to whole milliseconds; a plain number is milliseconds.
 * Undefined if it is not a duration.
 */
export function durationMs(text: number | string): number | undefined {
  if (typeof text === 'number') return Number.isFinite(text) && text >= 0 ? Math.round(text) : undefined;
  if (/^\d{1,12}(?:\.\d+)?$/.test(text)) return Math.round(Number(text));
  return durationWithUnitMs(text);
}

/** The same, but units are required, so that a plain number is not ambiguous. */
export function durationWithUnitMs(text: string): number | undefined {
  if (!whole.test(text)) return undefined;
  const ms = [...text.matchAll(part)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs.get(unit) ?? 0),
    0,
  );
  return Math.round(ms); // 1.1h is 3,960,000.0000000005 ms
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
