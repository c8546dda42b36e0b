import type { Shape } from './shape.ts';

/** A fact that is computed once for each shape: shapes live as long as the program, and records are many. */
export function memoByShape<S extends Shape, Fact>(compute: (shape: S) => Fact): (shape: S) => Fact {
  const known = new WeakMap<S, { readonly fact: Fact }>();
  return (shape) => {
    const before = known.get(shape);
    if (before !== undefined) return before.fact;
    const fact = compute(shape);
    known.set(shape, { fact });
    return fact;
  };
}
