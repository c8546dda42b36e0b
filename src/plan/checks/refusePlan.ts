import { present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { type Risk, risks, worse } from '../../schema/facts/risk.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { planRisk } from '../consequences/risk.ts';
import type { Change, Refusal } from '../model/change.ts';
import type { Draft } from '../model/draft.ts';
import { type Limits, limitPath, type TimeWindow, type Weekday, weekdays } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { isOwned } from '../record/ownership.ts';
import { type Renamings, renamingsOf } from '../references/rename.ts';

/** Refusals of the plan as a whole. */
export function refusePlan(
  drafts: ReadonlyMap<ResourceId, Draft>,
  bystanders: number,
  planning: PlanContext,
): readonly Refusal[] {
  const { options, desired } = planning;
  const changed = [...drafts.values()].filter(({ action }) => action !== 'keep');
  const replaced = changed.filter(({ action }) => action === 'replace').length;
  const deleted = changed.filter(({ action }) => action === 'delete').length + bystanders + replaced;
  const removed = changed.filter(isRemoval).length;
  const { maxDeletes, maxChanges, maxRisk } = options;
  const others = isOtherProject(changed, planning, renamingsOf(planning)) ? removed : 0;
  return [
    ...(desired.size === 0 && removed > 0 && !options.allowEmpty ? [refuse.emptyStack(removed)] : []),
    ...(others > 0 ? [refuse.otherProject(options.owner, others)] : []),
    ...(maxDeletes !== undefined && deleted > maxDeletes ? [refuse.tooMany(deleted, replaced, maxDeletes)] : []),
    ...(maxChanges !== undefined && changed.length > maxChanges
      ? [refuse.tooManyChanges(changed.length, maxChanges)]
      : []),
    ...(maxRisk === undefined ? [] : riskRefusals(changed, maxRisk)),
    ...gapRefusals(planning),
  ];
}

/** Deleting everything that a stack owns requires the complete list of it. */
function gapRefusals({ options, snapshot: { gaps } }: PlanContext): readonly Refusal[] {
  if (gaps === undefined) return [];
  if (options.destroys === true) return options.allowUnseen === true ? [] : [refuse.destroyUnlisted(gaps)];
  return options.prune === true ? [refuse.pruneUnlisted(gaps)] : [];
}

/**
 * Whether a stack without a project would delete resources that carry its name although none that it declares carries
 * it or replaces one that does. Only a whole stack deletes, and loose manifests with `--prune`.
 */
function isOtherProject(
  changed: readonly Draft[],
  { options, desired, snapshot, ownership, claims }: PlanContext,
  renamings: Renamings,
): boolean {
  const declared = options.declaredHere ?? [...desired.keys()];
  if (options.unqualified !== true || declared.length === 0) return false;
  if (!changed.some(isRemoval) || renamings.byNew.size > 0) return false;
  return !declared.some((id) => {
    const live = snapshot.resources.get(id);
    return (
      snapshot.unfinished?.has(id) === true ||
      (live !== undefined && (isOwned(ownership(live)) || claims(live).mine !== undefined))
    );
  });
}

/** Whether the draft removes something of the stack, including its parts of others' resources. */
function isRemoval({ action, desired }: Draft): boolean {
  return action === 'delete' || action === 'forget' || (action === 'patch' && desired === undefined);
}

function riskRefusals(changed: readonly Draft[], maxRisk: Risk): readonly Refusal[] {
  const beyond = changed
    .filter(({ risk = 'none' }) => risk !== maxRisk && worse(risk, maxRisk) === risk)
    .sort((a, b) => severity(b) - severity(a) || compareText(a.id, b.id));
  if (beyond.length === 0) return [];
  const shown = beyond.map(({ id, risk = 'none' }) => `${id} (${risk})`);
  return [refuse.tooRisky(shown, maxRisk, planRisk(beyond))];
}

function severity({ risk = 'none' }: Draft): number {
  return risks.indexOf(risk);
}

type Planned = Pick<Plan, 'changes'>;

/** Refuses a plan beyond its limits; the tightest of each applies. No flag permits it. */
export function refuseBeyondLimits(planned: Planned, limits: readonly Limits[]): readonly Refusal[] {
  return tightest(limits).flatMap((each) => refuseBeyond(planned, each));
}

function refuseBeyond({ changes }: Planned, limits: Limits): readonly Refusal[] {
  const { maxDeletes, maxChanges, maxRisk } = limits;
  const changed = changes.filter(({ action }) => action !== 'keep');
  const deleted = deletedBy(changed);
  return [
    ...(maxDeletes !== undefined && deleted > maxDeletes
      ? [
          refusal(
            limits,
            'maxDeletes',
            `${counted(deleted, 'resource')} would be deleted; at most ${maxDeletes} are allowed`,
          ),
        ]
      : []),
    ...(maxChanges !== undefined && changed.length > maxChanges
      ? [
          refusal(
            limits,
            'maxChanges',
            `${counted(changed.length, 'resource')} would be changed; at most ${maxChanges} are allowed`,
          ),
        ]
      : []),
    ...(maxRisk === undefined ? [] : tooRisky(changed, maxRisk, limits)),
  ];
}

/** Deleted and replaced resources, and those of others that are deleted with them. */
function deletedBy(changed: readonly Change[]): number {
  const own = new Set(changed.map(({ id }) => id));
  const along = new Set(changed.flatMap(({ cascadesTo }) => cascadesTo).filter((id) => !own.has(id)));
  return along.size + changed.filter(({ action }) => action === 'delete' || action === 'replace').length;
}

function tooRisky(changed: readonly Change[], maxRisk: Risk, limits: Limits): readonly Refusal[] {
  const beyond = changed
    .filter(({ risk = 'none' }) => risk !== maxRisk && worse(risk, maxRisk) === risk)
    .toSorted((a, b) => risks.indexOf(b.risk ?? 'none') - risks.indexOf(a.risk ?? 'none'))
    .map(({ id, risk = 'none' }) => `${id} (${risk})`);
  return beyond.length === 0
    ? []
    : [refusal(limits, 'maxRisk', `the risk is greater than ${maxRisk} for ${firstOf(beyond, 10)}`)];
}

/** How and when a plan is applied. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether it was run on a copy of the platform without errors. */
  readonly isRehearsed: boolean;
  /** Whether it comes from a file with a verified signature, or is saved in a signed one. */
  readonly isSigned: boolean;
  /** Whether its approvals were verified too, as many as these limits require. @default as isSigned */
  readonly isApproved?: boolean;
  /** `gantry destroy`, which makes no file. */
  readonly destroys?: boolean | undefined;
}

/** Refuses to apply a plan now, in this way. */
export function refuseNow(limits: readonly Limits[], circumstances: Circumstances): readonly Refusal[] {
  return tightest(limits).flatMap((each) => refuseUnder(each, circumstances));
}

function refuseUnder(
  limits: Limits,
  { nowMs, isRehearsed, isSigned, isApproved = isSigned, destroys = false }: Circumstances,
): readonly Refusal[] {
  const [planning, where] = destroys
    ? ['gantry plan --allow-empty', ' without the manifests of what is deleted']
    : ['gantry plan', ''];
  const undoing = destroys ? where : ' (or gantry undo OLD --rehearse --out FILE)';
  const { windows, rehearsal, signature, approvals = 0 } = limits;
  return [
    ...(windows !== undefined && !windows.some((window) => isOpen(window, nowMs))
      ? [
          refusal(
            limits,
            'windows',
            `it is ${localTime(nowMs, windows[0]?.timezone ?? 'UTC')}; it is allowed ${windowsText(windows)}`,
          ),
        ]
      : []),
    ...(rehearsal !== undefined && !isRehearsed
      ? [
          {
            ...refusal(limits, 'rehearsal', 'this plan was not rehearsed'),
            allow: `${planning} --rehearse --out FILE${undoing}, and gantry apply FILE`,
          },
        ]
      : []),
    ...(signature !== undefined && !isSigned
      ? [
          {
            ...refusal(limits, 'signature', 'only a signed plan file can be applied'),
            allow: `${planning} --out FILE --sign KEYFILE${where}, and gantry apply FILE --signed-by KEYS`,
          },
        ]
      : []),
    ...(approvals > 0 && !isApproved
      ? [
          {
            ...refusal(limits, 'approvals', `only a plan file with ${counted(approvals, 'approval')} can be applied`),
            allow: 'gantry approve FILE --sign KEYFILE, and gantry apply FILE --approved-by KEYS',
          },
        ]
      : []),
  ];
}

const codes = {
  maxDeletes: 'limit.max-deletes',
  maxChanges: 'limit.max-changes',
  maxRisk: 'limit.max-risk',
  windows: 'limit.window',
  rehearsal: 'limit.rehearsal',
  signature: 'limit.signature',
  approvals: 'limit.approvals',
} as const;

function refusal(limits: Limits, name: keyof typeof codes, message: string): Refusal {
  return { code: codes[name], message: `${limitPath(limits, name)}: ${message}` };
}

/**
 * The limits to check: the tightest value of each, and of equal ones the first. All windows are kept, because each of
 * them has to be open.
 */
export function tightest(all: readonly Limits[]): readonly Limits[] {
  const strictest = {
    maxDeletes: first(all, ({ maxDeletes }) => maxDeletes),
    maxChanges: first(all, ({ maxChanges }) => maxChanges),
    maxRisk: first(all, ({ maxRisk }) => (maxRisk === undefined ? undefined : risks.indexOf(maxRisk))),
    rehearsal: first(all, ({ rehearsal }) => (rehearsal === undefined ? undefined : 0)),
    signature: first(all, ({ signature }) => (signature === undefined ? undefined : 0)),
    approvals: first(all, ({ approvals }) => (approvals === undefined ? undefined : -approvals)),
  };
  return all.map((limits, index) => {
    const { at, windows, maxDeletes, maxChanges, maxRisk, rehearsal, signature, approvals } = limits;
    return {
      at,
      ...present({
        windows: windows === undefined || isRepeated(windows, all.slice(0, index)) ? undefined : windows,
        maxDeletes: strictest.maxDeletes === limits ? maxDeletes : undefined,
        maxChanges: strictest.maxChanges === limits ? maxChanges : undefined,
        maxRisk: strictest.maxRisk === limits ? maxRisk : undefined,
        rehearsal: strictest.rehearsal === limits ? rehearsal : undefined,
        signature: strictest.signature === limits ? signature : undefined,
        approvals: strictest.approvals === limits ? approvals : undefined,
      }),
    };
  });
}

/** The first limits with the least amount; undefined if none is set. */
function first(all: readonly Limits[], amountOf: (limits: Limits) => number | undefined): Limits | undefined {
  const least = Math.min(...all.flatMap((limits) => amountOf(limits) ?? []));
  return all.find((limits) => amountOf(limits) === least);
}

function isRepeated(windows: NonNullable<Limits['windows']>, before: readonly Limits[]): boolean {
  return before.some((limits) => limits.windows !== undefined && windowsText(limits.windows) === windowsText(windows));
}

/** Local time; `minute` is the minute of the day. */
interface WallTime {
  readonly day: Weekday;
  readonly minute: number;
}

/** Whether the window is open at `nowMs`, in milliseconds since 1970. */
export function isOpen({ days, from, to, timezone }: TimeWindow, nowMs: number): boolean {
  const { day, minute } = wallTime(nowMs, timezone);
  const [opens, closes] = [minuteOf(from), minuteOf(to)];
  const opensOn = (name: Weekday) => days.includes(name);
  if (opens < closes) return opensOn(day) && minute >= opens && minute < closes;
  return (opensOn(day) && minute >= opens) || (opensOn(dayBefore(day)) && minute < closes);
}

/** `Mon 09:05 in Europe/Berlin`. */
export function localTime(nowMs: number, timezone: string): string {
  const { day, minute } = wallTime(nowMs, timezone);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day} ${two(Math.floor(minute / 60))}:${two(minute % 60)} in ${timezone}`;
}

/** `mon, tue 09:00-17:00 in Europe/Berlin`; several with `or`. */
export function windowsText(windows: readonly TimeWindow[]): string {
  return windows
    .map(({ days, from, to, timezone }) => {
      const on = new Set(days).size === weekdays.length ? '' : `${days.join(', ')} `;
      return `${on}${from}-${to} in ${timezone}`;
    })
    .join(' or ');
}

function wallTime(nowMs: number, timezone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const shown = parts.get('weekday')?.toLowerCase();
  const day = weekdays.find((each) => each === shown) ?? 'mon';
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function dayBefore(day: Weekday): Weekday {
  return weekdays.at(weekdays.indexOf(day) - 1) ?? 'sun';
}

/** The minute of the day, from `HH:MM`. */
function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
