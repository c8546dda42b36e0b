import { choice, count, described, list, type Of, object, optional, text } from '../../base/form/form.ts';
import { compact } from '../../base/json/present.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import type { WrittenBy } from '../../manifest/live/writer.ts';

const write = object({ name: text, type: text, version: count, at: described('ISO 8601.', text) });

/**
 * Why a record, or a field of it, differs from its declaration. Several causes can apply at once; with `unsure` only
 * one of them does, and it is not known which.
 */
export const causeForm = object({
  code: optional(described('The declaration differs from the last write of this stack.', choice(true))),
  reads: optional(
    described(
      'It takes these values of other records, which are not what they were.',
      list(object({ id: text, path: text })),
    ),
  ),
  others: optional(described('Later writes of others, the newest first; empty: it is not known whose.', list(write))),
  platform: optional(described('The platform changed it, or its default changed.', choice(true))),
  unsure: optional(described('Only one of these is true, and it is not known which.', choice(true))),
  since: optional(described('The version that the last write of this stack produced.', count)),
});
export type Cause = Of<typeof causeForm>;

/** Whether the audit trail can make this cause more precise. */
export function awaitsTrail(cause: Cause | undefined): cause is Cause {
  return cause?.unsure === true && cause.others !== undefined;
}

/** Whether the trail can add to a change: who wrote the differing values, or what blocks it. */
export function wantsTrail(change: {
  readonly cause?: Cause;
  readonly refusals: readonly { readonly kept?: string }[];
}): boolean {
  return awaitsTrail(change.cause) || change.refusals.some(({ kept }) => kept !== undefined);
}

/** Maximum number of writers named in one sentence, each once. */
const mostNamed = 3;

/** For example `changed in the code, and by ana@example.com at 2026-11-20 14:03 UTC, after version 7`. */
export function describeCause({ code, reads, others, platform, unsure, since }: Cause): string {
  const parts = compact([
    code === true ? 'in the code' : undefined,
    reads === undefined ? undefined : `in what it takes (${firstOf(reads.map(describeRead), mostNamed)})`,
    others === undefined
      ? undefined
      : `by ${describeWriters(others)}${since === undefined ? '' : `, after version ${since}`}`,
    platform === true
      ? unsure === true && others === undefined
        ? 'by a default of the platform'
        : 'by the platform'
      : undefined,
  ]);
  const joint = unsure === true ? ', or ' : ', and ';
  return `changed ${parts.join(joint)}`;
}

/** For example `status.endpoint of workload/shop/web`. */
export function describeRead({ id, path }: { readonly id: string; readonly path: string }): string {
  return `${path} of ${id}`;
}

function describeWriters(writers: readonly WrittenBy[]): string {
  if (writers.length === 0) return 'others';
  const named = compact([...Map.groupBy(writers, ({ name }) => name)], ([name, [newest, ...earlier]]) => {
    const times = earlier.length === 0 ? '' : ` (${earlier.length + 1} writes)`;
    return newest === undefined ? undefined : `${name} at ${minuteOf(newest.at)}${times}`;
  });
  return firstOf(named, mostNamed);
}

/** `2026-11-20 14:03 UTC`, from ISO 8601. */
export function minuteOf(at: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at) ? `${at.slice(0, 16).replace('T', ' ')} UTC` : at;
}
