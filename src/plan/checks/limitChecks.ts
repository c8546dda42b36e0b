import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { type Risk, risks, worse } from '../../schema/facts/risk.ts';
import type { Change, Refusal } from '../model/change.ts';
import { type Limits, limitPath } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import { tightest } from './tightest.ts';
import { isOpen, localTime, windowsText } from './timeWindow.ts';

type Planned = Pick<Plan, 'changes'>;

/** What a plan does beyond limits, the tightest of each. No flag permits it. */
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

/** Own resources, those that are made again, and those of others that go along. */
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

/** How and when a plan is carried out. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** It was run on a copy of the platform, and nothing was wrong. */
  readonly isRehearsed: boolean;
  /** It comes from a file whose signatures and approvals were verified, as many as these limits demand. */
  readonly isSigned: boolean;
}

/** What speaks against carrying out a plan now, in this way. */
export function refuseNow(limits: readonly Limits[], circumstances: Circumstances): readonly Refusal[] {
  return tightest(limits).flatMap((each) => refuseUnder(each, circumstances));
}

function refuseUnder(limits: Limits, { nowMs, isRehearsed, isSigned }: Circumstances): readonly Refusal[] {
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
            allow:
              'gantry plan --rehearse --out FILE (or gantry undo OLD --rehearse --out FILE), and gantry apply FILE',
          },
        ]
      : []),
    ...(signature !== undefined && !isSigned
      ? [
          {
            ...refusal(limits, 'signature', 'only a signed plan file can be applied'),
            allow: 'gantry plan --out FILE --sign KEYFILE, and gantry apply FILE --signed-by KEYS',
          },
        ]
      : []),
    ...(approvals > 0 && !isSigned
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
