import { alone, type PlatformOptions, type Wire } from './wire.ts';

/** Checks the demand of a row by requests. */
export type Check = (wire: Wire) => Promise<void>;

export interface RowTest {
  /** The name of the test: the row's id in brackets, then the statement, or the part of it. */
  readonly name: string;
  readonly check: Check;
}

/** A table row, bullet or numbered rule of the specification, with its tests. */
export interface Row {
  /** The section, a slash, and the field, rule or bullet in it. */
  readonly id: string;
  readonly statement: string;
  readonly tests: readonly RowTest[];
}

/** A row with one test. */
export function row(id: string, statement: string, check: Check): Row {
  return { id, statement, tests: [{ name: `[${id}] ${statement}`, check }] };
}

/** A row with a test for each of its parts. */
export function parted(id: string, statement: string, ...parts: readonly Part[]): Row {
  return { id, statement, tests: parts.map(([name, check]) => ({ name: `[${id}] ${name}`, check })) };
}

export type Part = readonly [name: string, check: Check];

export function partOf(name: string, check: Check): Part {
  return [name, check];
}

/** A part that is checked on its own platform. */
export function ownPart(name: string, options: PlatformOptions, check: Check): Part {
  return [name, alone(options, check)];
}

/** A row that is checked on its own platform. */
export function ownRow(id: string, statement: string, options: PlatformOptions, check: Check): Row {
  return row(id, statement, alone(options, check));
}
