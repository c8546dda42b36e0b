import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { isDay } from '../../base/text/instant.ts';
import { available } from '../../base/text/suggestion.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { SettingFaults } from './fault.ts';

/** What a policy finds at one resource is let pass, for a time. */
export interface PolicyException {
  readonly policy: string;
  /** `kind/[gvc/]name`. */
  readonly resource: string;
  readonly reason: string;
  /** The last day on which it holds, in UTC: `2027-01-31`. */
  readonly until: string;
  /** Where it is written. */
  readonly position: Position;
}

const example = 'An example: {policy: images-pinned, resource: workload/shop/web, reason: "…", until: 2027-01-31}';
const keys = ['policy', 'resource', 'reason', 'until'] as const;

/** `policies.exceptions`: those that are right. */
export function readExceptions(
  given: JsonValue | undefined,
  faults: SettingFaults,
  locate: (at: Pointer) => Position,
): readonly PolicyException[] {
  if (given === undefined || given === null) return [];
  if (!isArray(given)) {
    faults.add(['exceptions'], 'must be a list of exceptions', example);
    return [];
  }
  return given.flatMap((each, index) => {
    const at = ['exceptions', index];
    const read = readException(each, at, faults);
    return read === undefined ? [] : [{ ...read, position: locate(at) }];
  });
}

function readException(
  given: JsonValue,
  at: Pointer,
  faults: SettingFaults,
): Omit<PolicyException, 'position'> | undefined {
  if (!isObject(given)) return void faults.add(at, 'must be an object', example);
  const before = faults.problems.length;
  const unknown = Object.keys(given).find((key) => !keys.some((known) => known === key));
  if (unknown !== undefined) faults.add([...at, unknown], `is not known. ${available(keys)}`);
  const { policy, resource, reason, until } = given;
  if (typeof policy !== 'string' || policy === '') faults.add([...at, 'policy'], 'must be the id of a policy', example);
  if (typeof resource !== 'string' || !/^[a-z-]+\/[^/]+(\/[^/]+)?$/.test(resource)) {
    faults.add([...at, 'resource'], 'must be the id of a resource, kind/[gvc/]name', example);
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    faults.add([...at, 'reason'], 'must say why the policy does not hold for this resource', example);
  }
  if (typeof until !== 'string' || !isDay(until)) {
    faults.add([...at, 'until'], 'must be the last day on which it holds, such as 2027-01-31', example);
  }
  if (faults.problems.length > before) return undefined;
  return { policy: String(policy), resource: String(resource), reason: String(reason).trim(), until: String(until) };
}
