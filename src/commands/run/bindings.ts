import { isObject, type JsonValue, listAt, sameJson } from '../../base/json/json.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import type { Call } from '../call/command.ts';
import { optionLinks } from '../call/refs.ts';
import { changed } from './write.ts';

/**
 * `policy add-binding REF --permission P… --principal LINK…`: the full list is sent. Principals join the binding that
 * has the same permissions: two of these are refused (platform/policy.bindings).
 */
export function runAddBinding(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const permissions = [...new Set(call.given.list('permission'))];
    const principals = optionLinks(call, api, 'principal');
    const bindings = listAt(record, 'bindings').filter(isObject);
    const same = bindings.find((binding) => hasSame(listAt(binding, 'permissions').map(String), permissions));
    if (same === undefined)
      return { bindings: [...bindings, { permissions, principalLinks: [...new Set(principals)] }] };
    const links = new Set([...listAt(same, 'principalLinks').map(String), ...principals]);
    return {
      bindings: bindings.map((binding) => (binding === same ? { ...same, principalLinks: [...links] } : binding)),
    };
  });
}

function hasSame(some: readonly string[], others: readonly string[]): boolean {
  return sameJson([...new Set(some)].toSorted(), [...others].toSorted());
}

/** `policy remove-binding`: what is named is taken out of every binding; one that gives nothing any more goes. */
export function runRemoveBinding(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const permissions = new Set(call.given.list('permission'));
    const links = new Set(optionLinks(call, api, 'principal'));
    const before = listAt(record, 'bindings').filter(isObject);
    let isFound = false;
    const bindings = before.flatMap((binding): readonly JsonValue[] => {
      const granted = listAt(binding, 'permissions').map(String);
      const to = listAt(binding, 'principalLinks').map(String);
      const concerned = granted.every((each) => permissions.has(each)) && to.some((link) => links.has(link));
      if (!concerned) return [binding];
      isFound = true;
      const left = to.filter((link) => !links.has(link));
      return left.length === 0 ? [] : [{ ...binding, principalLinks: left }];
    });
    if (!isFound) {
      throw new UsageError(
        'no binding gives these permissions to these principals',
        'Look at it: gantry policy get REF -o yaml.',
      );
    }
    return { bindings };
  });
}
