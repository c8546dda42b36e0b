import { patterns } from '../src/base/text/patterns.ts';
import { cpuMillicores, memoryBytes } from '../src/base/text/quantity.ts';
import { ToolError } from '../src/base/toolError.ts';

/** CPU: cores as a number or text (`0.5`), or millicores (`500m`). A text from elsewhere: `Cpu.parse(text)`. */
export type CpuQuantity = number | `${number}` | `${number}m`;

type BinaryUnit = 'Ki' | 'Mi' | 'Gi' | 'Ti' | 'Pi';
type DecimalUnit = 'k' | 'K' | 'M' | 'G' | 'T' | 'P';

/** Memory: bytes, alone or with a unit such as `Mi` or `Gi`. A text from elsewhere: `Memory.parse(text)`. */
export type MemoryQuantity = number | `${number}` | `${number}${BinaryUnit | DecimalUnit}`;

/** How long a snapshot is retained: a number of days, hours or minutes. A text from elsewhere: `Duration.retention(text)`. */
export type Retention = `${number}${'d' | 'h' | 'm'}`;

/** How long browsers cache CORS permissions: a number of hours, minutes or seconds. */
export type MaxAge = `${number}${'h' | 'm' | 's'}`;

/** How long answers are valid: a number of milliseconds, seconds, minutes or hours. */
export type TimeToLive = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A number of replicas, or a percentage of them. */
export type Replicas = `${number}` | `${number}%`;

/**
 * CPU with its unit: `cpu: Cpu.millicores(250)`. For a text that is not known to the compiler, such as an environment
 * variable: `cpu: Cpu.parse(process.env.API_CPU ?? '250m')`.
 *
 * Errors: `stack.quantity` if the number is not positive, and for a fraction of a millicore.
 */
export const Cpu = {
  /** Thousandths of a core: `250m`. */
  millicores(count: number): `${number}m` {
    return `${whole('Cpu.millicores()', count)}m`;
  },
  /** Cores, with up to three decimals: `0.5` is `500m`. */
  cores(count: number): `${number}m` {
    return `${whole('Cpu.cores()', Number((positive('Cpu.cores()', count) * 1000).toFixed(6)))}m`;
  },
  /** Errors: `stack.quantity` if there is no text, or if it is not an amount of CPU. */
  parse(text: string | undefined): CpuQuantity {
    if (text !== undefined && isCpu(text)) return text;
    throw wrong('Cpu.parse()', text, 'Give cores or millicores, such as 0.5 or 500m.');
  },
} as const;

/**
 * Memory with its unit: `memory: Memory.gibibytes(1)`. For a text that is not known to the compiler, such as an
 * environment variable: `Memory.parse(text)`.
 *
 * Errors: `stack.quantity` if the number is not positive.
 */
export const Memory = {
  /** 1,024 KiB each: `512Mi`. */
  mebibytes(count: number): `${number}Mi` {
    return `${positive('Memory.mebibytes()', count)}Mi`;
  },
  /** 1,024 MiB each: `1Gi`. */
  gibibytes(count: number): `${number}Gi` {
    return `${positive('Memory.gibibytes()', count)}Gi`;
  },
  /** Errors: `stack.quantity` if there is no text, or if it is not an amount of memory. */
  parse(text: string | undefined): MemoryQuantity {
    if (text !== undefined && isMemory(text)) return text;
    throw wrong('Memory.parse()', text, 'Give bytes with a unit, such as 128Mi or 1Gi.');
  },
} as const;

/**
 * A duration in the platform's format: a number with `ms`, `s`, `m`, `h` or `d`. Not every field accepts every unit.
 */
export type DurationText = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const seconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 } as const;

/**
 * Durations with their unit: `retentionDuration: Duration.days(7)`. For a field in seconds: `timeoutSeconds:
 * Duration.inSeconds('5m')`. `retention`, `maxAge` and `timeToLive` check a text that is not known to the compiler.
 *
 * Errors: `stack.quantity` if the number is not a positive whole number.
 */
export const Duration = {
  milliseconds(count: number): `${number}ms` {
    return `${whole('Duration.milliseconds()', count)}ms`;
  },
  seconds(count: number): `${number}s` {
    return `${whole('Duration.seconds()', count)}s`;
  },
  minutes(count: number): `${number}m` {
    return `${whole('Duration.minutes()', count)}m`;
  },
  hours(count: number): `${number}h` {
    return `${whole('Duration.hours()', count)}h`;
  },
  days(count: number): `${number}d` {
    return `${whole('Duration.days()', count)}d`;
  },
  /** For fields in seconds. Errors: `stack.quantity` if it is not a whole number of seconds. */
  inSeconds(duration: DurationText): number {
    const [, count = '', unit = ''] = /^([0-9.]+)(ms|s|m|h|d)$/.exec(duration) ?? [];
    const factor = Object.entries(seconds).find(([name]) => name === unit)?.[1];
    if (factor === undefined) throw wrong('Duration.inSeconds()', duration, 'Give a number with its unit, such as 5m.');
    return whole('Duration.inSeconds()', Number((Number(count) * factor).toFixed(6)));
  },
  /** For `retentionDuration`. Errors: `stack.quantity` if there is no text, or if it is not of this form. */
  retention(text: string | undefined): Retention {
    if (text !== undefined && isRetention(text)) return text;
    throw wrong('Duration.retention()', text, 'Give a number followed by d, h or m, such as 7d.');
  },
  /** For `cors.maxAge`. Errors: `stack.quantity` if there is no text, or if it is not of this form. */
  maxAge(text: string | undefined): MaxAge {
    if (text !== undefined && isMaxAge(text)) return text;
    throw wrong('Duration.maxAge()', text, 'Give a number followed by h, m or s, such as 24h.');
  },
  /** For `ngs.resp.ttl`. Errors: `stack.quantity` if there is no text, or if it is not of this form. */
  timeToLive(text: string | undefined): TimeToLive {
    if (text !== undefined && isTimeToLive(text)) return text;
    throw wrong('Duration.timeToLive()', text, 'Give a number followed by ms, s, m or h, such as 30s.');
  },
} as const;

function isCpu(text: string): text is Extract<CpuQuantity, string> {
  return matches(patterns.quantity.pattern, text) && cpuMillicores(text) !== undefined;
}

function isMemory(text: string): text is Extract<MemoryQuantity, string> {
  return matches(patterns.quantity.pattern, text) && memoryBytes(text) !== undefined;
}

function isRetention(text: string): text is Retention {
  return matches(patterns.retention.pattern, text);
}

function isMaxAge(text: string): text is MaxAge {
  return matches(patterns.maxAge.pattern, text);
}

function isTimeToLive(text: string): text is TimeToLive {
  return matches(patterns.timeToLive.pattern, text);
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern).test(text);
}

function wrong(called: string, text: string | undefined, hint: string): ToolError {
  const what = text === undefined ? 'no text: is the environment variable set?' : JSON.stringify(text);
  return new ToolError({ code: 'stack.quantity', message: `${called} was given ${what}`, hint });
}

function positive(called: string, count: number): number {
  if (Number.isFinite(count) && count > 0) return count;
  throw wrong(called, String(count), 'Give a number above 0.');
}

function whole(called: string, count: number): number {
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw wrong(called, String(count), 'Give a whole number above 0.');
}

/** Capacities of volume sets, in GB of 10⁹ bytes (platform/volumeset.classes): `initialCapacity: Size.gigabytes(20)`. */
export const Size = {
  gigabytes(count: number): number {
    return whole('Size.gigabytes()', count);
  },
  /** 1,000 GB each. */
  terabytes(count: number): number {
    return whole('Size.terabytes()', positive('Size.terabytes()', count) * 1000);
  },
} as const;
