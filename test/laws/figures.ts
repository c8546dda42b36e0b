declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures;
  }
}

/** The figures of a test of a law, by what is counted: `cases`, `points`, `edits`, ... */
export type Figures = Readonly<Record<string, number>>;

let current: { figures?: Figures } | undefined;

/** Selects the test whose figures are counted from now on, by its `meta`. */
export function countFor(meta: { figures?: Figures }): void {
  current = meta;
}

/** Adds to the figures of the running test. Has no effect if they are not collected. */
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
