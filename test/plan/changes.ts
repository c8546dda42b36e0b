import { Body } from '../../src/manifest/model/body.ts';
import { type Action, type Change, checkedChange, type UncheckedChange } from '../../src/plan/model/change.ts';

type Needed = Partial<UncheckedChange>;

const body = new Body({}, {});
const live = { liveVersion: 1, liveUid: 'uid-1' };
const created = { create: body, expected: body };
const patched = { patch: body, expected: body, ...live };

/** The fields that a change of each action requires, for tests that do not depend on them. */
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

/** A change with these fields, completed with the fields that its action requires. */
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
