import { isObject, listAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { objectIn } from '../server/refusal.ts';

declare module 'vitest' {
  interface TaskMeta {
    reached?: string[];
  }
}

/** What requests came to before a test, in the set-up of its file, is counted as the test's own. */
let current: string[] = [];

/** From here on outcomes are those of the test with this `meta`. */
export function reachedBy(meta: { reached?: string[] }): void {
  meta.reached = current;
}

export function testEnded(): void {
  current = [];
}

/** `gvc.create 400 validation_failed shape.required`: an outcome for each rule that a refusal names. */
export function reached(operation: string, status: number, body: string): void {
  const refusal = status >= 400 ? objectIn(body) : {};
  const rules = listAt(objectAt(refusal, 'details'), 'problems').map((problem) =>
    isObject(problem) ? stringAt(problem, 'rule') : undefined,
  );
  for (const rule of rules.length === 0 ? [undefined] : rules) {
    const words = [operation, status, stringAt(refusal, 'code'), rule];
    const outcome = words.filter((word) => word !== undefined).join(' ');
    if (!current.includes(outcome)) current.push(outcome);
  }
}
