/** One attack on the command line. It throws if Gantry did not resist it. */
export interface Attack {
  readonly name: string;
  /** Omitted from the short form, which CI runs. */
  readonly long?: true;
  run(): Promise<void>;
}

/** Throws with the observed output, so that a failure can be understood without another run. */
export function demand(holds: boolean, what: string, seen: unknown = ''): asserts holds {
  if (holds) return;
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen, undefined, 2);
  throw new Error(text === '' ? what : `${what}\n${text.slice(0, 4_000)}`);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  demand(left === right, `${what}: ${left} in place of ${right}`);
}

/** Rows of one kind: the short form runs every third, since tests of single parts cover them too. */
export function everyThird(attacks: readonly Attack[]): readonly Attack[] {
  return attacks.map((attack, index) => (index % 3 === 0 ? attack : { ...attack, long: true }));
}
