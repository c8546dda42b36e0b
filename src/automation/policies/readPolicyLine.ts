import { isArray, isObject } from '../../schema/json/json.ts';
import type { PolicyLine } from './request.ts';

/**
 * A line of the channel on which a run is told; undefined: `child.ts` did not write it. A policy can write there too, so
 * nothing of it is taken for granted.
 */
export function readPolicyLine(text: string): PolicyLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPolicyLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPolicyLine(value: unknown): value is PolicyLine {
  if (!isObject(value)) return false;
  const { policies, found, of, failed, end } = value;
  if (policies !== undefined) return isArray(policies) && policies.every(isLoaded);
  if (found !== undefined) return typeof of === 'number' && isArray(found) && found.every(isFinding);
  if (failed !== undefined) return isFailure(failed);
  if (end !== undefined) return typeof end === 'string';
  return 'loading' in value || 'asked' in value;
}

function isLoaded(value: unknown): boolean {
  if (!isObject(value) || typeof value['isAboutPlans'] !== 'boolean') return false;
  return hasTexts(value, ['id', 'about'], ['file']) && isPosition(value['position']);
}

function isFinding(value: unknown): boolean {
  if (!isObject(value) || (value['severity'] !== 'error' && value['severity'] !== 'warning')) return false;
  return hasTexts(value, ['policy', 'message'], ['fix', 'path', 'resource']);
}

function isFailure(value: unknown): boolean {
  if (!isObject(value)) return false;
  return hasTexts(value, ['code', 'message', 'hint'], ['resource']) && isPosition(value['position']);
}

function isPosition(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || typeof value['line'] !== 'number' || typeof value['column'] !== 'number') return false;
  return hasTexts(value, ['file'], []);
}

function hasTexts(
  value: Readonly<Record<string, unknown>>,
  required: readonly string[],
  optional: readonly string[],
): boolean {
  return (
    required.every((key) => typeof value[key] === 'string') &&
    optional.every((key) => value[key] === undefined || typeof value[key] === 'string')
  );
}
