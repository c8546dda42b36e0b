import { Body } from '../../src/manifest/model/body.ts';
import { type Action, type Change, checkedChange, type UncheckedChange } from '../../src/plan/model/change.ts';

type Needed = Partial<UncheckedChange>;

const body = new Body({}, {});
const live = { liveVersion: 1, liveUid: 'uid-1' };
const created = { create: body, expected: body };
const patched = { patch: body, expected: body, ...live };

/** What a change of each action cannot be without, for tests that do not look at it. */
const needed: Readonly<Record<Action, Needed>> = {
  create: created,
  patch: patched,
  adopt: patched,
  forget: patched,
  replace: { ...created, ...live, deleteRequires: [] },
  delete: live,
  keep: {},
  refuse: { intended: 'patch' },
};

/** A change with these fields, and whatever else its action needs. */
export function changeWith(fields: Needed & Pick<UncheckedChange, 'id' | 'ref' | 'kind' | 'name' | 'action'>): Change {
  return checkedChange({
    reason: '',
    fields: [],
    requires: [],
    cascadesTo: [],
    wait: false,
    refusals: [],
    notes: [],
    ...needed[fields.action],
    ...fields,
  });
}
