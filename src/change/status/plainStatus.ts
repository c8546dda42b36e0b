import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { KindStatus } from './status.ts';

/** Kinds whose status says whether the platform can use them: as a whole, or for each cloud */
const usables: ReadonlySet<Kind> = new Set<Kind>(['cloudaccount', 'identity']);

/** Everything that is ready as soon as it is there, unless its status names an error. */
export function plainStatus(kind: Kind, record: JsonObject): KindStatus {
  const status = objectAt(record, 'status');
  if (usables.has(kind)) return usableStatus(status);
  if (kind !== 'ipset') return { state: 'ready', health: 'exists', reasons: [] };

  const [error, warning] = [textAt(status, 'error'), textAt(status, 'warning')];
  const reasons = [error, warning].filter((text) => text !== undefined);
  if (error !== undefined) return { state: 'failed', health: 'error', reasons };
  return { state: 'ready', health: warning === undefined ? 'exists' : 'warning', reasons };
}

function usableStatus(status: JsonObject): KindStatus {
  const parts: readonly (readonly [string, JsonObject])[] = [
    ['', status],
    ...Object.entries(status).flatMap(([name, part]) => (isObject(part) ? [[`${name}: `, part] as const] : [])),
  ];
  const reasons = parts
    .filter(([, part]) => own(part, 'usable') === false)
    .map(([where, part]) => `${where}${textAt(part, 'lastError') ?? 'the platform cannot use it'}`);
  return reasons.length === 0
    ? { state: 'ready', health: 'exists', reasons }
    : { state: 'failed', health: 'unusable', reasons };
}

function textAt(object: JsonObject, key: string): string | undefined {
  const text = stringAt(object, key);
  return text === '' ? undefined : text;
}
