/**
 * The key under which the program that loads a stack file collects the roots of its trees: apps, and other roots with
 * resources. A registered symbol, because the stack may use another copy of this package than the program.
 */
export const appCollector: unique symbol = Symbol.for('gantry.apps');

/** Set on a root whose manifests were taken. */
export const wasSynthesized: unique symbol = Symbol.for('gantry.synthesized');

/** Set on a root: the warnings of its last synthesis. */
export const warningsFound: unique symbol = Symbol.for('gantry.warnings');

export function collect(root: unknown): void {
  const collector: unknown = Reflect.get(globalThis, appCollector);
  if (Array.isArray(collector) && !collector.includes(root)) collector.push(root);
}
