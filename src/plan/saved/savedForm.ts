import { creatableKinds, readOnlyKinds } from '../../schema/record/kinds.ts';
import { losableThings } from '../record/gvcLosses.ts';
import { risks } from '../../schema/facts/risk.ts';
import type { Lifecycle } from '../../manifest/model/lifecycle.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Cause } from '../model/cause.ts';
import type { Plan } from '../model/plan.ts';
import { actions, type Change, type Edge } from '../model/change.ts';
import type { FieldChange } from '../model/fieldChange.ts';
import { dictionary, document, either, json, list, object } from '../documents/form.ts';
import { choice, count, described, flag, number, type Of, text } from '../model/valueForm.ts';
import { permits } from '../model/permits.ts';
import { savedPlanName } from './isSavedPlan.ts';
import { type SavedOptions, savedFormatVersion } from './savedPlan.ts';

const texts = list(text);
const ref = object({ kind: choice(...creatableKinds, ...readOnlyKinds), name: text }, { gvc: text });
const action = choice(...actions);
const pointer = list(either(text, count));
const body = described('A body; sensitive values are {"sensitive": true}.', document);

const writer = object({ name: text, type: text, version: count, at: text }, {});
const cause = object(
  {},
  { code: choice(true), others: list(writer), platform: choice(true), unsure: choice(true), since: count },
);
const field = object({ path: text }, { old: json, new: json, risk: choice(...risks), cause });
const refusal = object({ code: text, message: text }, { allow: text });
const edge = object({ on: text, because: text, soft: flag }, { ready: choice(true), step: choice('delete', 'then') });

const taken = choice(...losableThings);

export const changeForm = object(
  {
    id: text,
    ref,
    kind: choice(...creatableKinds, ...readOnlyKinds),
    name: text,
    action,
    reason: text,
    fields: list(field),
    requires: list(edge),
    cascadesTo: texts,
    wait: flag,
    refusals: list(refusal),
    notes: texts,
  },
  {
    gvc: text,
    intended: action,
    create: body,
    patch: body,
    then: body,
    thenRequires: list(edge),
    expected: described('What the reply must hold.', document),
    expectedThen: document,
    liveVersion: described('Pinned: the version that is changed.', count),
    liveUid: described("Pinned: the platform's own id.", text),
    deleteRequires: list(edge),
    via: text,
    waitTimeoutMs: number,
    risk: choice(...risks),
    losesData: texts,
    victims: texts,
    takes: list(object({ what: taken, name: text }, {})),
    part: choice(true),
    unowned: choice(true),
    renamedFrom: text,
    cause,
  },
);
export type SavedChange = Of<typeof changeForm>;

const lifecycle = object(
  {},
  {
    protect: flag,
    retain: flag,
    adopt: either(flag, object({ from: text }, {})),
    handOver: text,
    previously: text,
    part: flag,
    replace: flag,
    wait: flag,
    waitTimeout: text,
    ignore: texts,
    untyped: texts,
    sensitive: texts,
    dependsOn: texts,
  },
);

const declared = object(
  {
    ref: object({ kind: choice(...creatableKinds), name: text }, { gvc: text }),
    record: body,
    lifecycle,
    at: object({ file: text, line: count, column: count }, {}),
    places: described(
      'Where the fields were written that change; the file only where it is another.',
      list(object({ pointer, line: count, column: count }, { file: text })),
    ),
  },
  {},
);
export type SavedDeclaration = Of<typeof declared>;

const live = object({ ref, uid: text, version: count, record: body }, {});

const fact = either(
  object({ fact: choice('exists'), ref, uid: text }, {}),
  object({ fact: choice('children'), ref, holds: list(object({ id: text, uid: text }, {})) }, {}),
);

const secret = object(
  { resource: text, in: choice('record', 'create', 'patch', 'then'), at: pointer, fingerprint: text },
  {},
);

const fingerprints = either(
  object({ method: choice('hmac-sha256'), salt: text }, {}),
  object({ method: choice('scrypt'), salt: text, n: count, r: count, p: count }, {}),
);

const options = object(
  {
    scope: choice('whole', 'partial'),
    wait: flag,
    targets: texts,
    excludes: texts,
  },
  {
    ...permits,
    storagePrice: object({ storageGbMonth: either(number, dictionary(number)), currency: text }, {}),
  },
);

const amount = object({ gb: number }, { cost: number });
const storage = object(
  {
    before: amount,
    after: amount,
    ceiling: amount,
    sets: list(object({ id: text, before: number, after: number, ceiling: number, concerned: flag }, {})),
  },
  { currency: text, atLeast: choice(true) },
);

/** The whole file. */
export const savedForm = object(
  {
    gantry: described('By which the file is recognised: it stands first.', choice(savedPlanName)),
    formatVersion: choice(savedFormatVersion),
    org: text,
    stack: described('The owner: the value of the tag gantry/stack.', text),
    inputs: described(
      'Where it came from; read again only if it writes secrets.',
      object({ paths: texts }, { gvc: text }),
    ),
    options,
    directives: choice('all', 'stated'),
    unrevealed: texts,
    changes: list(changeForm),
    refusals: list(refusal),
    notes: texts,
    requests: object({ snapshot: count, apply: count }, {}),
    declared: list(declared),
    live: described('What was live of what it changes, for undo.', list(live)),
    facts: described('What must still be so of what it does not change.', list(fact)),
    secrets: described('Salted fingerprints of the sensitive values that it writes.', list(secret)),
    digest: described(
      'Over the canonical text of everything else.',
      object({ method: choice('sha256', 'hmac-sha256'), value: text }, {}),
    ),
  },
  {
    fingerprints,
    preconditions: choice('unsaid'),
    dryRun: choice('honoured'),
    storage,
    leftOut: list(object({ id: text, action }, {})),
  },
);
export type SavedFile = Of<typeof savedForm>;

/** The JSON Schema of a saved plan; the build writes it to `dist/schemas/saved-plan.json`. */
export const savedPlanSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/saved-plan.json',
  title: 'Gantry saved plan, format 1',
  ...savedForm.schema,
};

/** What a plan has and the form does not name would be lost in the file: this does not compile then. */
type Lost =
  | Exclude<keyof Change, keyof SavedChange>
  | Exclude<keyof FieldChange, keyof Of<typeof field>>
  | Exclude<keyof Cause, keyof Of<typeof cause>>
  | Exclude<keyof Edge, keyof Of<typeof edge>>
  | Exclude<keyof Lifecycle, keyof Of<typeof lifecycle>>
  | Exclude<keyof SavedOptions, keyof Of<typeof options>>
  | Exclude<keyof Plan, keyof SavedFile>;
export const lost: Readonly<Record<Lost, never>> = {};
