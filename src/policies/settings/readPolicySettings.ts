import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate } from '../../manifest/model/manifest.ts';
import type { Rule } from '../rules/rule.ts';
import { SettingFaults } from './fault.ts';
import { type PolicyException, readExceptions } from './readExceptions.ts';
import { readRules } from './readRules.ts';

/** `policies` of `gantry.yaml`. */
export interface PolicySettings {
  /** `starter`, or ids of its policies. */
  readonly use: readonly string[];
  /** Files, folders and globs with policies as code, as they are written; undefined: `policies/`, where it is there. */
  readonly files: readonly string[] | undefined;
  readonly rules: readonly Rule[];
  /** Paths of files whose content policies get, by the name that they get it by. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly exceptions: readonly PolicyException[];
  /** For each policy. */
  readonly timeoutMs: number;
  /** For all policies together, in MiB. */
  readonly memoryMb: number;
}

export interface ReadPolicySettings {
  readonly settings: PolicySettings;
  readonly problems: readonly LocatedProblem[];
}

const usualPolicySettings: PolicySettings = {
  use: [],
  files: undefined,
  rules: [],
  inputs: {},
  exceptions: [],
  timeoutMs: 10_000,
  memoryMb: 1024,
};

const keys = ['use', 'files', 'rules', 'inputs', 'exceptions', 'timeout', 'memory'] as const;
const longestTimeoutMs = 600_000;
/** The interpreter has addresses for 2 GiB. */
const memoryBounds = [64, 2_048] as const;

/** Everything that is wrong with it, each with its place. */
export function readPolicySettings(given: JsonValue | undefined, locate: Locate): ReadPolicySettings {
  if (given === undefined || given === null) return { settings: usualPolicySettings, problems: [] };
  const faults = new SettingFaults(locate);
  if (!isObject(given)) {
    faults.add([], 'must be an object', 'An example: policies: {use: [starter]}');
    return { settings: usualPolicySettings, problems: faults.problems };
  }
  const unknown = Object.keys(given).find((key) => !keys.some((known) => known === key));
  if (unknown !== undefined) {
    faults.add([unknown], 'is not known', suggestion(unknown, keys) ?? available(keys));
  }
  const settings = {
    use: texts(given['use'], 'use', faults) ?? [],
    files: texts(given['files'], 'files', faults),
    rules: readRules(given['rules'], faults),
    inputs: inputsOf(given['inputs'], faults),
    exceptions: readExceptions(given['exceptions'], faults, (at) => locate(['policies', ...at])),
    timeoutMs: timeoutOf(given['timeout'], faults),
    memoryMb: memoryOf(given['memory'], faults),
  };
  return { settings, problems: faults.problems };
}

function texts(
  given: JsonValue | undefined,
  name: 'use' | 'files',
  faults: SettingFaults,
): readonly string[] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = isArray(given) ? given.filter((each) => typeof each === 'string' && each !== '').map(String) : [];
  if (isArray(given) && found.length === given.length) return found;
  const what = { use: 'names, such as [starter]', files: 'paths, such as [../shared/policies]' };
  faults.add([name], `must be a list of ${what[name]}`);
  return undefined;
}

function inputsOf(given: JsonValue | undefined, faults: SettingFaults): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {};
  const example = 'An example: inputs: {registries: policies/registries.json}';
  if (!isObject(given)) {
    faults.add(['inputs'], 'must be names with paths of files', example);
    return {};
  }
  const paths = Object.entries(given).flatMap(([name, path]) => {
    if (typeof path === 'string' && path !== '') return [[name, path] as const];
    faults.add(['inputs', name], 'must be the path of a file', example);
    return [];
  });
  return Object.fromEntries(paths);
}

function timeoutOf(given: JsonValue | undefined, faults: SettingFaults): number {
  if (given === undefined || given === null) return usualPolicySettings.timeoutMs;
  const ms = typeof given === 'string' ? durationWithUnitMs(given) : undefined;
  if (ms !== undefined && ms > 0 && ms <= longestTimeoutMs) return ms;
  faults.add(['timeout'], 'must be a duration of at most 10m', 'An example: timeout: 30s');
  return usualPolicySettings.timeoutMs;
}

function memoryOf(given: JsonValue | undefined, faults: SettingFaults): number {
  if (given === undefined || given === null) return usualPolicySettings.memoryMb;
  const [least, most] = memoryBounds;
  if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most) return given;
  faults.add(['memory'], `must be a number of MiB, ${least} to ${most}`);
  return usualPolicySettings.memoryMb;
}
