import {
  choice,
  count,
  described,
  dictionary,
  document,
  either,
  type Form,
  flag,
  json,
  list,
  number,
  type Of,
  object,
  optional,
  optionals,
  publishedForm,
  text,
} from '../base/form/form.ts';
import { value } from '../base/form/read.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Lifecycle } from '../manifest/model/manifest.ts';
import { causeForm } from '../plan/model/cause.ts';
import { accessForm, actions, type Change, edgeForm, type FieldChange, refusalForm } from '../plan/model/change.ts';
import { limitsForm } from '../plan/model/limits.ts';
import { permits } from '../plan/model/permits.ts';
import { type Plan, saveForm } from '../plan/model/plan.ts';
import { storageForm } from '../plan/model/storageUse.ts';
import { losableThings } from '../plan/record/gvcLosses.ts';
import { risks } from '../schema/facts/risk.ts';
import { type DeclarableKind, isDeclarable, type Kind, kindNamed } from '../schema/record/kinds.ts';
import { savedPlanName } from './isSavedPlan.ts';
import { type SavedOptions, savedFormatVersion } from './savedPlan.ts';

const texts = list(text);

function kindForm<K extends Kind>(is: (value: unknown) => value is K): Form<K> {
  return { ...value(is, 'a kind', { type: 'string' }), is, write: (name) => name };
}

/** A kind of the schema, or one that the plan or the project defines. */
const kind = kindForm((value): value is Kind => kindNamed(value) !== undefined);
const declarableKind = kindForm((value): value is DeclarableKind => typeof value === 'string' && isDeclarable(value));
const ref = object({ kind, name: text, gvc: optional(text) });
const action = choice(...actions);
const pointer = list(either(text, count));
const body = described('A body; sensitive values are {"sensitive": true}.', document);
const risk = choice(...risks);

const field = object({
  path: text,
  old: optional(json),
  new: optional(json),
  risk: optional(risk),
  cause: optional(causeForm),
});

const changeForm = object({
  id: text,
  ref,
  kind,
  name: text,
  gvc: optional(text),
  action,
  intended: optional(action),
  reason: text,
  cause: optional(causeForm),
  fields: list(field),
  access: optional(accessForm),
  create: optional(body),
  patch: optional(body),
  then: optional(body),
  thenRequires: optional(list(edgeForm)),
  expected: optional(described('What the reply must hold.', document)),
  expectedThen: optional(document),
  liveVersion: optional(described('Pinned: the version that is changed.', count)),
  liveUid: optional(described("Pinned: the platform's own id.", text)),
  requires: list(edgeForm),
  deleteRequires: optional(list(edgeForm)),
  cascadesTo: texts,
  via: optional(text),
  awaits: optional(described('References in its bodies to values that are read when it is made.', texts)),
  wait: flag,
  waitTimeoutMs: optional(number),
  refusals: list(refusalForm),
  notes: texts,
  doubts: optional(texts),
  risk: optional(risk),
  losesData: optional(texts),
  carries: optional(described('What a kill between DELETE and POST would lose, were it not for a mark.', texts)),
  unmarked: optional(choice(true)),
  victims: optional(texts),
  takes: optional(list(object({ what: choice(...losableThings), name: text }))),
  part: optional(choice(true)),
  unowned: optional(choice(true)),
  ownerLost: optional(choice(true)),
  unchecked: optional(choice(true)),
  renamedFrom: optional(text),
});
export type SavedChange = Of<typeof changeForm>;

const lifecycle = object(
  optionals({
    protect: flag,
    retain: flag,
    adopt: either(flag, object({ from: text })),
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
  }),
);

const declared = object({
  ref: object({ kind: declarableKind, name: text, gvc: optional(text) }),
  record: body,
  lifecycle,
  at: object({ file: text, line: count, column: count }),
  places: described(
    'Where the fields were written that change; the file only where it is another.',
    list(object({ pointer, line: count, column: count, file: optional(text) })),
  ),
});
export type SavedDeclaration = Of<typeof declared>;

const live = object({ ref, uid: text, version: count, record: body });

const fact = either(
  object({ fact: choice('exists'), ref, uid: text }),
  either(
    object({ fact: choice('children'), ref, holds: list(object({ id: text, uid: text })) }),
    either(
      object({ fact: choice('handedOver'), ref, to: text }),
      object({ fact: choice('value'), ref, path: text, value: json }),
    ),
  ),
);

const secret = object({
  resource: text,
  in: choice('record', 'create', 'patch', 'then'),
  at: pointer,
  fingerprint: text,
});

const fingerprints = either(
  object({ method: choice('hmac-sha256'), salt: text }),
  object({ method: choice('scrypt'), salt: text, n: count, r: count, p: count }),
);

const options = object({
  scope: choice('whole', 'partial'),
  wait: flag,
  targets: texts,
  excludes: texts,
  ...optionals(permits),
  limits: optional(
    described('Of its environment, and of others at the same place; no flag loosens them.', list(limitsForm)),
  ),
  rehearsed: optional(described('It was run on a copy of the platform.', choice(true))),
  undoes: optional(described('It takes another plan back.', choice(true))),
  storagePrice: optional(object({ storageGbMonth: either(number, dictionary(number)), currency: text })),
});

const savedDigest = described(
  'Over the canonical text of everything else.',
  object({ method: choice('sha256', 'hmac-sha256'), value: text }),
);

const customKind = object({
  scope: choice('org', 'gvc'),
  immutable: texts,
  listKeys: dictionary(text),
  disposable: flag,
});

const members = {
  gantry: described('By which the file is recognised: it stands first.', choice(savedPlanName)),
  formatVersion: choice(savedFormatVersion),
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  inputs: described(
    'Where it came from; read again only if it writes secrets.',
    object({ paths: texts, gvc: optional(text), environment: optional(text) }),
  ),
  options,
  directives: choice('all', 'stated'),
  unrevealed: texts,
  changes: list(changeForm),
  refusals: list(refusalForm),
  notes: texts,
  requests: object({ snapshot: count, apply: count }),
  preconditions: optional(choice('unsaid')),
  dryRun: optional(choice('honoured')),
  storage: optional(storageForm),
  leftOut: optional(list(object({ id: text, action }))),
  saves: optional(list(saveForm)),
  kinds: optional(
    described('What is known of the kinds in it that the schema does not describe.', dictionary(customKind)),
  ),
  declared: list(declared),
  live: described('What was live of what it changes, for undo.', list(live)),
  facts: described('What must still be so of what it does not change.', list(fact)),
  secrets: described('Salted fingerprints of the sensitive values that it writes.', list(secret)),
  fingerprints: optional(fingerprints),
  judged: optional(
    described(
      'The policies that it was made under, and what they looked at beside what it changes.',
      object({ policies: texts, beside: list(declared) }),
    ),
  ),
};

/** The plan of one stack, which is the whole file if there is only one. */
export const savedForm = object({ ...members, digest: savedDigest });

/** One of several plans: without its own digest, so it is not a valid file. */
export const savedStackForm = object(members);
export type SavedStack = Of<typeof savedStackForm>;

/** The plans of several stacks, made in one run and applied in this order. */
export const savedPlansForm = object({
  gantry: choice(savedPlanName),
  formatVersion: choice(savedFormatVersion),
  stacks: described('In the order in which they are applied.', list(savedStackForm)),
  digest: savedDigest,
});

/** The JSON Schema of a saved plan; the build writes it to `dist/schemas/saved-plan.json`. */
export const savedPlanSchema: JsonObject = publishedForm(
  'saved-plan',
  'Gantry saved plan, format 1',
  either(savedForm, savedPlansForm),
);

/**
 * A member of a plan that the form lacks would be lost in the file: then this does not compile. What waits for another
 * stack is excluded, and planned later; the audit trail was read when the plan was made.
 */
type Lost =
  | Exclude<keyof Change, keyof SavedChange>
  | Exclude<keyof FieldChange, keyof Of<typeof field>>
  | Exclude<keyof Lifecycle, keyof Of<typeof lifecycle>>
  | Exclude<keyof SavedOptions, keyof Of<typeof options> | 'answers'>
  | Exclude<keyof Plan, keyof SavedStack | 'waiting' | 'inDoubt'>;
export const lost: Readonly<Record<Lost, never>> = {};
