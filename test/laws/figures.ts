declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures;
  }
}

/** What a test of a law ran, by the name of what is counted: `cases`, `points`, `edits`, ... */
export type Figures = Readonly<Record<string, number>>;

let current: { figures?: Figures } | undefined;

/** Whose figures are counted from now on: the `meta` of a test. */
export function countFor(meta: { figures?: Figures }): void {
  current = meta;
}

/** Adds to the figures of the test that runs. Where nobody collects them, nothing happens. */
export function lawFigures(figures: Figures): void {
  if (current !== undefined) current.figures = sumOf([current.figures ?? {}, figures]);
}

export function sumOf(all: readonly Figures[]): Figures {
  const sum: Record<string, number> = {};
  for (const figures of all) {
    for (const [name, value] of Object.entries(figures)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}
