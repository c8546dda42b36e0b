import { choice, count, described, flag, list, type Of, object, optional, text } from '../../base/form/form.ts';
import { isObject, type JsonValue } from '../../base/json/json.ts';
import type { Body } from '../../manifest/model/body.ts';
import type { FieldChange as RecordFieldChange, SensitiveValue } from '../../patch/fieldChanges.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { GvcLoss } from '../record/gvcLosses.ts';
import type { Cause } from './cause.ts';

export const edgeForm = object({
  on: described('The id of the change that must be done first.', text),
  because: described('For people: spec.identityLink refers to it.', text),
  soft: described('A failure of the other change does not skip this one.', flag),
  ready: optional(described('The other resource must be ready, not only written.', choice(true))),
  step: optional(
    described(
      'The step of it that must be done: the DELETE of a replacement, or ' +
        'the second PATCH. Absent: its write or deletion.',
      choice('delete', 'then'),
    ),
  ),
});
/** Why a change waits for another. */
export type Edge = Of<typeof edgeForm>;

/** Where a value is written: lines and columns from 1. */
export const positionForm = object({ file: text, line: count, column: count });

export const refusalForm = object({
  code: described('Stable and dotted, for scripts: delete.bystander, adopt.not-asked, ...', text),
  message: text,
  allow: optional(described('The flag or the field that would allow it; absent when nothing does.', text)),
  place: optional(described('What it is about, where that is one line.', positionForm)),
  kept: optional(described('The live field that stays, and that speaks against the change.', text)),
});
/** Why a change is refused and what would allow it. */
export type Refusal = Of<typeof refusalForm>;

export const actions = ['create', 'patch', 'replace', 'delete', 'keep', 'adopt', 'forget', 'refuse'] as const;
/** The action on a resource. */
export type Action = (typeof actions)[number];
/** The actions that a plan can carry out. */
export type PlannedAction = Exclude<Action, 'refuse'>;

/** All fields that a change may have; `Change` defines which of them each action has. */
export interface ChangeFields {
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly kind: Kind;
  readonly name: string;
  readonly gvc?: string;
  /** Empty only for the action `keep`. */
  readonly reason: string;
  /**
   * Why a live record of this stack differs from its declaration; absent if nothing is compared (a creation, a
   * deletion).
   */
  readonly cause?: Cause;
  readonly fields: readonly FieldChange[];
  /** POST body of a creation or of the second half of a replacement. */
  readonly create?: Body;
  /** PATCH body of patch, adopt and forget, with `id` and `version`. */
  readonly patch?: Body;
  /** A second PATCH, sent when everything in `thenRequires` is done (two-step changes); without `id` and `version`. */
  readonly then?: Body;
  readonly thenRequires?: readonly Edge[];
  /** The record after the write, in normal form; the response must equal it in the fields that it contains. */
  readonly expected?: Body;
  /** The same after `then`. */
  readonly expectedThen?: Body;
  readonly liveVersion?: number;
  /** The platform's own id of the live record. */
  readonly liveUid?: string;
  /**
   * Edges to wait for before the write: POST or PATCH, or the DELETE of a deletion. For a replacement: before the POST.
   */
  readonly requires: readonly Edge[];
  /**
   * Edges to wait for before the DELETE of a replacement. The POST waits for the DELETE, and the DELETE also for what
   * the POST waits for, except what waits for the DELETE itself.
   */
  readonly deleteRequires?: readonly Edge[];
  /** Ids that the platform deletes along with this one, bystanders included. */
  readonly cascadesTo: readonly ResourceId[];
  /** The GVC that this child is deleted with, without its own request. */
  readonly via?: ResourceId;
  /**
   * References to live values that are known only when the change is made (`live/liveReference.ts`); its bodies contain
   * them instead of the values.
   */
  readonly awaits?: readonly string[];
  /** Whether to wait until ready before the change counts as done. */
  readonly wait: boolean;
  /** Time to become ready (`lifecycle.waitTimeout`); absent for the default of the run. */
  readonly waitTimeoutMs?: number;
  readonly refusals: readonly Refusal[];
  /** Findings that are reported but not acted on (operational drift, unknown secret state, ...). */
  readonly notes: readonly string[];
  /** The notes on values that stay although they may be unneeded. */
  readonly doubts?: readonly string[];
  /** The worst risk of the change. */
  readonly risk?: Risk;
  /** Who gains and who loses which access; absent if none changes. */
  readonly access?: readonly AccessChange[];
  /**
   * Records that lose data by this deletion, bystanders included. Unlisted records had no data when the plan was made,
   * and must still have none when they are deleted: volumes appear without a new version of their record.
   */
  readonly losesData?: readonly ResourceId[];
  /**
   * On a creation that replaces a deleted record: the paths taken over from it that no manifest declares. Without a
   * mark on the deleted record they are lost if the run ends in between.
   */
  readonly carries?: readonly string[];
  /** The replaced record may be deleted although it could not be marked (`--allow-unmarked`). */
  readonly unmarked?: true;
  /** Resources of other owners that the update affects: workloads and volume sets in a GVC that loses something. */
  readonly victims?: readonly ResourceId[];
  /** The losses of everything in a container by its update. */
  readonly takes?: readonly GvcLoss[];
  /** `lifecycle.part`: only the declared items are owned, of a resource with another owner. */
  readonly part?: true;
  /** Kept because it does not, or possibly does not, belong to this stack: a copy, or `gantry/applied` is missing. */
  readonly unowned?: true;
  /** Its tag `gantry/stack` was removed, but not by this stack. */
  readonly ownerLost?: true;
  /** Kept, and not compared after the run: it is undeclared, handed over, or already deleted. */
  readonly unchecked?: true;
  /** On the creation of a renaming: the old resource, deleted once this one exists. */
  readonly renamedFrom?: ResourceId;
}

/** Fields of every change. */
type Common =
  | 'id'
  | 'ref'
  | 'kind'
  | 'name'
  | 'gvc'
  | 'reason'
  | 'fields'
  | 'requires'
  | 'cascadesTo'
  | 'wait'
  | 'waitTimeoutMs'
  | 'refusals'
  | 'notes'
  | 'doubts'
  | 'risk'
  | 'access';
type CaseField = Exclude<keyof ChangeFields, Common>;
interface Case {
  readonly has: readonly CaseField[];
  readonly may: readonly CaseField[];
}

const secondStep = ['then', 'expectedThen', 'thenRequires'] as const;
const overtaking = ['carries', 'unmarked'] as const;
const live = ['liveVersion', 'liveUid'] as const;
const written = {
  has: ['patch', 'expected', ...live],
  may: [...secondStep, 'cause', 'takes', 'victims', 'part', 'ownerLost', 'awaits'],
} as const;

/** Required and optional fields of each action, besides `Common`. */
const cases = {
  create: { has: ['create', 'expected'], may: [...secondStep, ...overtaking, 'renamedFrom', 'awaits'] },
  patch: written,
  adopt: written,
  forget: written,
  replace: {
    has: ['create', 'expected', 'deleteRequires', ...live],
    may: [...secondStep, ...overtaking, 'cause', 'losesData', 'ownerLost', 'awaits'],
  },
  delete: { has: live, may: ['via', 'losesData'] },
  keep: { has: [], may: [...live, 'part', 'unowned', 'unchecked'] },
  /** The fields of the intended action; some are absent if their absence causes the refusal. */
  refuse: {
    has: [],
    may: [
      ...(['create', 'patch', 'expected', ...secondStep, ...live, 'deleteRequires', 'cause', 'via'] as const),
      ...overtaking,
      ...([
        'losesData',
        'takes',
        'victims',
        'part',
        'unowned',
        'ownerLost',
        'unchecked',
        'renamedFrom',
        'awaits',
      ] as const),
    ],
  },
} as const satisfies Readonly<Record<Action, Case>>;

type Has<A extends Action> = (typeof cases)[A]['has'][number];
type May<A extends Action> = (typeof cases)[A]['may'][number];
type Lacks<A extends Action> = Exclude<CaseField, Has<A> | May<A>>;

type ChangeOf<A extends Action> = { readonly action: A } & Pick<ChangeFields, Common | May<A>> &
  Required<Pick<ChangeFields, Has<A>>> & { readonly [K in Lacks<A>]?: never } & (A extends 'refuse'
    ? { readonly intended: PlannedAction }
    : { readonly intended?: never });

/** The plan for one resource. */
export type Change = { readonly [A in Action]: ChangeOf<A> }[Action];

/** A change that has not been checked for the fields that its action needs. */
export interface UncheckedChange extends ChangeFields {
  readonly action: Action;
  readonly intended?: Action;
}

/** Whether it has exactly the fields that its action allows. */
export function isChange(change: UncheckedChange): change is UncheckedChange & Change {
  const { action, intended } = change;
  return (
    (action === 'refuse') === (intended !== undefined) &&
    intended !== 'refuse' &&
    cases[action].has.every((field) => change[field] !== undefined) &&
    lacking[action].every((field) => change[field] === undefined)
  );
}

const lacking: Readonly<Record<Action, readonly CaseField[]>> = {
  create: fieldsWithout(cases.create),
  patch: fieldsWithout(cases.patch),
  adopt: fieldsWithout(cases.adopt),
  forget: fieldsWithout(cases.forget),
  replace: fieldsWithout(cases.replace),
  delete: fieldsWithout(cases.delete),
  keep: fieldsWithout(cases.keep),
  refuse: fieldsWithout(cases.refuse),
};

/** The fields that a change of this case must not have. A refused one may have any. */
function fieldsWithout({ has, may }: Case): readonly CaseField[] {
  return cases.refuse.may.filter((field) => !has.includes(field) && !may.includes(field));
}

/** The change, if it has the fields that its action needs; otherwise an internal error. */
export function checkedChange(change: UncheckedChange): Change {
  if (!isChange(change)) throw new Error(`${change.id} lacks what the action ${change.action} needs, or has more`);
  return change;
}

/** The action of a change, or the one that it would have if it were not refused. */
export function plannedAction(change: Change): PlannedAction {
  return change.intended ?? change.action;
}

/** One field that will change. `old` is absent if it is added; `new` is absent if it is removed. */
export interface FieldChange extends RecordFieldChange {
  /** The risk of changing this field; absent for `none`. */
  readonly risk?: Risk;
  /**
   * The cause of this field, if others wrote since and the audit trail shows which; absent if the cause of the whole
   * change applies.
   */
  readonly cause?: Cause;
}

/** Whether it is the mask of a sensitive value. */
export function isHidden(value: JsonValue | SensitiveValue | undefined): value is SensitiveValue {
  return isObject(value) && value['sensitive'] === true;
}

const change = object({
  change: choice('gained', 'lost'),
  principal: described(
    'Who: group/ops, user/ana@example.com, identity/shop/web, users where tag team = ops; of traffic the side that begins it: an address, a workload, every workload of a GVC or of the org.',
    text,
  ),
  permission: described('What a policy permits; member: of a group; inbound, outbound: traffic.', text),
  target: described('On what: secret/db, every secret, workload/shop/web:443.', text),
  through: optional(described('The group by which the principal has it.', text)),
  also: optional(
    described(
      'Another policy that grants the same: after the change where it is lost, before it where it is gained. Only policies and groups that were read are known. through: the group by which.',
      object({ policy: text, through: optional(text) }),
    ),
  ),
  members: optional(
    described(
      'Of a principal that is a group whose record was read: its members. more: others match its query.',
      object({ users: count, serviceAccounts: count, more: optional(choice(true)) }),
    ),
  ),
});

/** Who gains and who loses which access by a change. */
export const accessForm = described(
  'Who gains and who loses what: by policies, groups and firewalls. Absent where nobody does.',
  list(change),
);
export type AccessChange = Of<typeof change>;
