import type { Snapshot } from '../manifest/live/snapshot.ts';

/** What `/discovery` states is taken from the live platform; so is what was before the rehearsal. */
export function asPromised({ preconditions: _, dryRun: _dryRun, ...read }: Snapshot, live: Snapshot): Snapshot {
  const { directives, preconditions, dryRun, unfinished, past } = live;
  const deleted = [...(unfinished ?? [])].filter(([id]) => !read.resources.has(id));
  return {
    ...read,
    directives,
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(past === undefined ? {} : { past }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(deleted.length === 0 ? {} : { unfinished: new Map([...deleted, ...(read.unfinished ?? [])]) }),
  };
}
