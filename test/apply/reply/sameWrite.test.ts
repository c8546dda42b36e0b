import { expect, test } from 'vitest';
import { isSameWrite } from '../../../src/apply/sameWrite.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import { live } from '../../plan/world.ts';
import { body, change, deleting } from '../harness/plans.ts';

const id = 'workload/shop/web';

function patching(patch: JsonObject, fields: Partial<UncheckedChange> = {}): Change {
  return change(id, { action: 'patch', patch: body(patch), ...fields });
}

const description = { path: 'description', old: 'old', new: 'new' };
const item = { path: 'spec.firewallConfig.external.inboundAllowCIDR.10.0.0.0/8', new: '10.0.0.0/8' };
const part = { part: true, fields: [item] } as const;
const list = (...blocks: readonly string[]) => ({ spec: { inboundAllowCIDR: blocks } });

const approvedBody = {
  id: 'uid',
  version: 3,
  description: 'new',
  tags: { 'gantry/applied': '1;lx;v4', 'gantry/applied.other': '1;lx;v4', team: 'a' },
};
const approved = patching(approvedBody);

interface Case {
  readonly it: string;
  readonly approved?: Change;
  readonly now: Change;
  readonly same: boolean;
}

test.each<Case>(
  // biome-ignore format: a row is a case
  [
    { it: 'another version in the pin and in the applied record',
      now: patching({ id: 'uid', version: 7, description: 'new',
          tags: { team: 'a', 'gantry/applied': '1;lx;v8', 'gantry/applied.other': '1;lx;v8' } }), same: true },
    { it: 'another value', now: patching({ description: 'newer', tags: { team: 'a' } }), same: false },
    { it: 'another tag', now: patching({ description: 'new', tags: { team: 'b' } }), same: false },
    { it: 'one tag less', now: patching({ description: 'new' }), same: false },
    { it: 'one field less', now: patching({ tags: { team: 'a' } }), same: false },
    { it: 'a tag that only ends like the tag of a part',
      now: patching({ description: 'new', tags: { team: 'a', 'x/gantry/applied.': '1' } }), same: false },
    { it: 'the same body as an adoption, as the owner tag was removed since',
      now: change(id, { action: 'adopt', patch: body(approvedBody) }), same: false },
    { it: 'a deletion', now: deleting(live(id)), same: false },
    { it: 'the approved replacement, which is no patch',
      approved: change(id, { action: 'replace' }), now: change(id, { action: 'replace' }), same: false },
    { it: 'a list with one more item of others, if only a part is owned',
      approved: patching(list('10.0.0.0/8'), part), now: patching(list('192.0.2.0/24', '10.0.0.0/8'), part),
      same: true },
    { it: 'the same list of a resource that is owned as a whole',
      approved: patching(list('10.0.0.0/8'), { fields: [item] }),
      now: patching(list('192.0.2.0/24', '10.0.0.0/8'), { fields: [item] }), same: false },
    { it: 'one field less of a part, as another client wrote it',
      approved: patching({ ...list('10.0.0.0/8'), description: 'new' }, { part: true, fields: [item, description] }),
      now: patching(list('10.0.0.0/8'), part), same: false },
    { it: 'a field of a part over another value',
      approved: patching({ description: 'new' }, { part: true, fields: [description] }),
      now: patching({ description: 'new', alias: 'x' }, { part: true, fields: [{ ...description, old: 'theirs' }] }),
      same: false },
  ],
)('a patch with $it is the approved one: $same', ({ approved: before = approved, now, same }) => {
  expect(isSameWrite(before, before.patch?.expose() ?? {}, now)).toBe(same);
});
