import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { Plan } from '../plan/model/plan.ts';
import { addressesOf } from '../project/settings/endpoints.ts';
import type { Settings } from '../project/settings/resolveSettings.ts';
import type { Target } from './statement.ts';

/** The endpoint of a platform in this process, whose port changes each time. */
const embedded = 'embedded';

interface Where {
  readonly settings: Pick<Settings, 'endpoint' | 'env'>;
  readonly embedded: boolean;
}

/** The org and stacks of plans that are signed together. */
export function subjectOf(plans: readonly Pick<Plan, 'org' | 'stack'>[]): Pick<Plan, 'org' | 'stack'> {
  return { org: plans[0]?.org ?? '', stack: plans.map(({ stack }) => stack).join(', ') };
}

/** The target of a plan, by these settings. Errors: `settings.endpoint`. */
export function targetOf({ org, stack }: Pick<Plan, 'org' | 'stack'>, where: Where): Target {
  const endpoints = endpointsOf(where);
  if (endpoints.length === 0) {
    throw new ToolError({
      code: 'settings.endpoint',
      message: 'no platform is set, and a signature says for which one it is',
      hint: 'Give --endpoint URL, GANTRY_ENDPOINT, or endpoint in gantry.yaml.',
    });
  }
  const { env } = where.settings;
  return { org, stack, endpoints, ...present({ environment: env }) };
}

/** Sorted; empty if none is set. */
export function endpointsOf({ settings, embedded: isEmbedded }: Where): readonly string[] {
  return isEmbedded ? [embedded] : addressesOf(settings.endpoint);
}

/**
 * The difference from the signed target; undefined if the signature is for this target. A subset of the signed
 * endpoints is allowed.
 */
export function differenceOf(signed: Target, actual: Target): TargetDifference | undefined {
  const pairs = [
    ['org', signed.org, actual.org],
    ['stack', signed.stack, actual.stack],
    ['environment', signed.environment ?? 'none', actual.environment ?? 'none'],
  ] as const;
  const other = pairs.find(([, a, b]) => a !== b);
  if (other !== undefined) return { what: other[0], signed: other[1], actual: other[2] };
  const unsigned = actual.endpoints.filter((each) => !signed.endpoints.includes(each));
  if (unsigned.length === 0) return undefined;
  return { what: 'endpoint', signed: signed.endpoints.join(', '), actual: unsigned.join(', ') };
}

export interface TargetDifference {
  readonly what: 'org' | 'stack' | 'environment' | 'endpoint';
  readonly signed: string;
  readonly actual: string;
}
