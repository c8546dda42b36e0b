import { type JsonObject, numberAt } from '../../../base/json/json.ts';
import type { Sheet } from '../../../kinds/common/sheet.ts';
import { sheets } from '../../../kinds/list.ts';
import { type Kind, knownKind } from '../../../schema/record/kinds.ts';

/** A built-in quota: a limit on the number of records of a kind, or on the storage of all volumes. */
export interface QuotaFacts {
  readonly name: string;
  readonly description: string;
  readonly unit: 'count' | 'GB';
  /** The kind whose records, or storage, it limits. */
  readonly kind: Kind;
}

/** The quotas of every org (platform/quota.limits). None has a limit until one is set. */
export const quotas: readonly QuotaFacts[] = [
  ...Object.entries<Sheet>(sheets).flatMap(([name, sheet]): readonly QuotaFacts[] => {
    const kind = knownKind(name);
    if (kind === undefined || sheet.hasQuota !== true) return [];
    return [{ name: nameOf(sheet), kind, unit: 'count', description: `Records of the kind ${kind}` }];
  }),
  { name: 'storage', kind: 'volumeset', unit: 'GB', description: 'Capacity that is reserved by all volumes' },
];

/** `GVCs` have the quota `gvcs`. */
function nameOf({ many }: Sheet): string {
  return many.toLowerCase().replaceAll(' ', '');
}

export function quotaNamed(name: string): QuotaFacts | undefined {
  return quotas.find((quota) => quota.name === name);
}

/** The quotas that a new record of a kind counts towards. */
export function quotasOf(kind: Kind): readonly QuotaFacts[] {
  return quotas.filter((quota) => quota.kind === kind);
}

/** Undefined: no limit. */
export function quotaLimit(quota: JsonObject): number | undefined {
  return numberAt(quota, 'max');
}

/**
 * The message if `more` exceeds the quota. It contains the word `quota`, which tells clients not to retry
 * (platform/wire.retries).
 */
export function excess({ name, unit }: QuotaFacts, max: number, used: number, more: number): string | undefined {
  if (used + more <= max) return undefined;
  const amount = (value: number): string => (unit === 'GB' ? `${value} GB` : String(value));
  return `the quota ${name} allows ${amount(max)}: ${amount(used)} are in use, and ${amount(more)} more are requested`;
}
