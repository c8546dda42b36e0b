import { compact } from '../../base/json/present.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import type { PlanInputs } from '../model.ts';

/** Sentences about the inputs that differ between two plans; empty if they are equal. */
export function changedInputs(before: PlanInputs, after: PlanInputs): readonly string[] {
  const isCode = before.commit !== after.commit;
  const moved = movedRecords(before.live, after.live);
  return compact([
    isCode ? `the code is at ${shortOf(after.commit)}, and was at ${shortOf(before.commit)}` : undefined,
    // Another commit usually has other declarations.
    !isCode && before.declared !== after.declared
      ? 'what is declared changed: the code, or a value from outside'
      : undefined,
    before.settings === after.settings ? undefined : 'the settings changed',
    before.policies === after.policies ? undefined : 'the policies changed',
    moved.length === 0 ? undefined : `the platform changed: ${firstOf(moved, mostNamed)}`,
  ]);
}

/** Whether everything except the live records is equal. Then a plan that has begun continues. */
export function isSameWish(before: PlanInputs, after: PlanInputs): boolean {
  return (
    changedInputs({ ...before, live: {} }, { ...after, live: {} }).length === 0 && before.declared === after.declared
  );
}

const mostNamed = 5;

function shortOf(commit: string): string {
  return commit.slice(0, 12);
}

function movedRecords(before: PlanInputs['live'], after: PlanInputs['live']): readonly string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return ids.flatMap((id) => {
    const [old, now] = [versionOf(before, id), versionOf(after, id)];
    if (old === now) return [];
    if (now === undefined) return [`${id} is gone`];
    if (old === undefined) return [`${id} is new`];
    return [`${id} (${old} → ${now})`];
  });
}

function versionOf(live: PlanInputs['live'], id: string): string | undefined {
  return Object.hasOwn(live, id) ? live[id] : undefined;
}
