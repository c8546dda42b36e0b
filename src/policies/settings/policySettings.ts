import {
  At,
  converted,
  described,
  dictionary,
  integer,
  list,
  map,
  object,
  optionals,
  type Reader,
  sentenceOf,
  textLike,
  tryRead,
} from '../../base/form/read.ts';
import { fieldIn, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { isDay } from '../../base/text/instant.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate, Position } from '../../manifest/model/manifest.ts';
import type { Rule } from '../rules/rule.ts';
import { ruleReader } from './readRules.ts';

/** The findings of a policy at one resource that are let pass, for a time. */
export interface PolicyException {
  readonly policy: string;
  /** `kind/[gvc/]name`. */
  readonly resource: string;
  readonly reason: string;
  /** The last day on which it holds, in UTC: `2027-01-31`. */
  readonly until: string;
  /** Where it is written. */
  readonly position: Position;
}

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
  /** The settings; a wrong one counts as left out. */
  readonly settings: PolicySettings;
  readonly problems: readonly LocatedProblem[];
}

const name = textLike((given) => given !== '', 'text');
const exception = object(
  {
    policy: textLike((given) => given !== '', 'the id of a policy'),
    resource: textLike(
      (given) => /^[a-z-]+\/[^/]+(\/[^/]+)?$/.test(given),
      'the id of a resource, such as workload/shop/web',
    ),
    reason: map(
      textLike((given) => given.trim() !== '', 'text: why the policy does not hold for this resource'),
      (given) => given.trim(),
    ),
    until: textLike(isDay, 'the last day on which it holds, such as 2027-01-31', { type: 'string', format: 'date' }),
  },
  { example: 'An example: {policy: images-pinned, resource: workload/shop/web, reason: "…", until: 2027-01-31}' },
);

const longestTimeoutMs = 600_000;
const timeout = converted(
  (given) => {
    const ms = typeof given === 'string' ? durationWithUnitMs(given) : undefined;
    return ms !== undefined && ms > 0 && ms <= longestTimeoutMs ? ms : undefined;
  },
  'a duration of at most 10m, such as 30s',
  { type: 'string' },
);

const members = {
  use: described('Policies that come along: starter, or single ids of it.', list(name, 'a list such as [starter]')),
  files: described(
    'Files and folders of policies as code, in place of policies/.',
    list(name, 'a list of paths such as [../shared/policies]'),
  ),
  inputs: described(
    'Files of the project whose content policies as code get as context.inputs, by name: JSON, YAML or text.',
    map(
      dictionary(
        textLike((given) => given !== '', 'the path of a file'),
        {
          expected: 'names with paths of files, such as {registries: policies/registries.json}',
        },
      ),
      Object.fromEntries<string>,
    ),
  ),
  timeout: described('For each policy; 10s where nothing is said.', timeout),
  // The interpreter has addresses for 2 GiB.
  memory: described('For all policies together, in MiB.', integer({ least: 64, most: 2048 })),
  rules: described('Policies as data.', list(ruleReader)),
  exceptions: list(
    { ...exception, read: (given: JsonValue, at: At) => ({ ...exception.read(given, at), pointer: at.pointer }) },
    'a list of exceptions',
  ),
};

const whole = object(optionals(members), { expected: 'an object such as {use: [starter]}' });

/** The JSON Schema of `policies`. */
export const policySettingsSchema: JsonObject = { ...whole.schema, type: ['object', 'null'] };

/** Everything that is wrong with it, each with its place. */
export function readPolicySettings(given: JsonValue | undefined, locate: Locate): ReadPolicySettings {
  const at = new At().key('policies');
  const read = tryRead(() => (given === undefined || given === null ? {} : whole.read(given, at)));
  const problems = ('problems' in read ? read.problems : []).map((problem) =>
    fileProblem(locate(problem.pointer), 'policies.settings', sentenceOf(problem), problem.hint),
  );
  const member = <T>(key: string, reader: Reader<T>): T | undefined => {
    const value = fieldIn(given, key);
    if (value === undefined || value === null) return undefined;
    const result = tryRead(() => reader.read(value, at.key(key)));
    return 'value' in result ? result.value : undefined;
  };
  const settings = {
    use: member('use', members.use) ?? [],
    files: member('files', members.files),
    rules: member('rules', members.rules) ?? [],
    inputs: member('inputs', members.inputs) ?? {},
    exceptions: (member('exceptions', members.exceptions) ?? []).map(({ pointer, ...rest }) => ({
      ...rest,
      position: locate(pointer),
    })),
    timeoutMs: member('timeout', members.timeout) ?? 10_000,
    memoryMb: member('memory', members.memory) ?? 1024,
  };
  return { settings, problems };
}
