import { ToolError } from '../../src/errors/toolError.ts';
import { patterns } from '../../src/schema/text/patterns.ts';
import { cpuMillicores, memoryBytes } from '../../src/schema/text/quantity.ts';

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

/** How long answers are allowed: a number of milliseconds, seconds, minutes or hours. */
export type TimeToLive = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A number of replicas, or a percentage of them. */
export type Replicas = `${number}` | `${number}%`;

/**
 * CPU from a text that the compiler cannot see into, such as an environment variable.
 *
 * cpu: Cpu.parse(process.env.API_CPU ?? '250m')
 */
export const Cpu = {
  /** Errors: `stack.quantity` where there is no text, or it is no amount of CPU. */
  parse(text: string | undefined): CpuQuantity {
    if (text !== undefined && isCpu(text)) return text;
    throw wrong('Cpu.parse()', text, 'Give cores or millicores, such as 0.5 or 500m.');
  },
} as const;

/** Memory from a text that the compiler cannot see into, such as an environment variable. */
export const Memory = {
  /** Errors: `stack.quantity` where there is no text, or it is no amount of memory. */
  parse(text: string | undefined): MemoryQuantity {
    if (text !== undefined && isMemory(text)) return text;
    throw wrong('Memory.parse()', text, 'Give bytes with a unit, such as 128Mi or 1Gi.');
  },
} as const;

/** Durations from texts that the compiler cannot see into. */
export const Duration = {
  /** For `retentionDuration`. Errors: `stack.quantity` where there is no text, or it is not of this form. */
  retention(text: string | undefined): Retention {
    if (text !== undefined && isRetention(text)) return text;
    throw wrong('Duration.retention()', text, 'Give a number followed by d, h or m, such as 7d.');
  },
  /** For `cors.maxAge`. Errors: `stack.quantity` where there is no text, or it is not of this form. */
  maxAge(text: string | undefined): MaxAge {
    if (text !== undefined && isMaxAge(text)) return text;
    throw wrong('Duration.maxAge()', text, 'Give a number followed by h, m or s, such as 24h.');
  },
  /** For `ngs.resp.ttl`. Errors: `stack.quantity` where there is no text, or it is not of this form. */
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
