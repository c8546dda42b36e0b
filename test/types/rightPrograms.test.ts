import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { typescriptStack } from '../../src/gantry/adoptionFiles.ts';
import { definitionToJson } from '../../src/kinds/describedFields.ts';
import { secretData } from '../../src/kinds/secret/fields.ts';
import { definitionOf } from '../../src/kinds/shapeOf.ts';
import { loadValidators, type Validators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { type CreatableKind, creatableKinds, isGvcScoped } from '../../src/schema/record/kinds.ts';
import { isEverySample } from '../harness/sampled.ts';
import { compile } from './compile.ts';
import { samplesOf } from './samples.ts';

/** Base records, to which one sample after the other is added: together they have every form of a kind. */
const bases: Readonly<Partial<Record<CreatableKind, readonly JsonObject[]>>> = {
  workload: [
    { spec: { type: 'serverless', containers: [{ name: 'main', image: 'nginx:1', ports: [{ number: 8080 }] }] } },
    { spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }] } },
    { spec: { type: 'stateful', containers: [{ name: 'main', image: 'nginx:1' }] } },
    { spec: { type: 'cron', containers: [{ name: 'main', image: 'nginx:1' }], job: { schedule: '0 3 * * *' } } },
    { spec: { type: 'vm', containers: [{ name: 'main' }] } },
  ],
  volumeset: [
    { spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 20 } },
    { spec: { fileSystemType: 'xfs', performanceClass: 'high-throughput-ssd', initialCapacity: 200 } },
    { spec: { fileSystemType: 'shared', initialCapacity: 20 } },
  ],
  domain: [{}, { spec: { gvcLink: '//gvc/shop' } }, { spec: { acceptAllHosts: true } }],
  policy: ['secret', 'gvc', 'workload', 'identity'].map((targetKind) => ({ targetKind, target: 'all' })),
  cloudaccount: [
    { provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/deploy' } },
    { provider: 'gcp', data: { projectId: 'project-1' } },
    { provider: 'azure', data: { secretLink: '//secret/azure' } },
    { provider: 'ngs', data: { secretLink: '//secret/ngs' } },
  ],
  location: [{ provider: 'byok' }],
  secret: Object.keys(secretData).map((type) => ({ type })),
};

/** The base with the sample added; lists of objects are merged with the first item of the base. */
function merged(base: JsonObject, sample: JsonObject): JsonObject {
  const both = Object.keys(sample).map((key) => {
    const [before, after] = [base[key], sample[key] ?? null];
    if (isObject(before) && isObject(after)) return [key, merged(before, after)] as const;
    if (key === 'containers' && Array.isArray(before) && Array.isArray(after)) {
      const [one, other] = [before[0], after[0]];
      return [key, [isObject(one) && isObject(other) ? { ...other, ...one, ...others(one, other) } : one]] as const;
    }
    return [key, before ?? after] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}

/** The ports of the sample replace those of the base, because only one is allowed. */
function others(one: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(one)
      .filter((key) => key === 'ports' && key in other)
      .map((key) => [key, other[key] ?? null]),
  );
}

function recordsOf(kind: CreatableKind): readonly JsonObject[] {
  const samples = samplesOf(definitionToJson(definitionOf(kind)), '').filter(isObject);
  const records = (bases[kind] ?? [{}]).flatMap((base) => samples.map((sample) => merged(base, sample)));
  const name = kind === 'domain' ? 'www.example.com' : 'sample';
  const made = records.flatMap((record) => (kind === 'secret' ? secretsOf(record) : [record]));
  return made.map((record) => ({ ...record, kind, name, ...(isGvcScoped(kind) ? { gvc: 'shop' } : {}) }));
}

function secretsOf(record: JsonObject): readonly JsonObject[] {
  const definition = Object.entries(secretData).find(([type]) => type === record['type'])?.[1];
  return definition === undefined
    ? []
    : samplesOf(definitionToJson(definition), 'data').map((data) => ({ ...record, data }));
}

/**
 * Rules that only warn, because the platform stores values without effect; the types refuse these: snapshots and
 * encryption of shared volume sets, mount options of others, keda on workloads that do not scale by it.
 */
const narrower: ReadonlySet<string> = new Set(['V5', 'V6', 'W36']);

/**
 * Fields that a form does not have, although the platform accepts them with values that change nothing (`capacityAI:
 * false`, `snapshots: {}`) or have no effect.
 */
const onPurpose: ReadonlySet<string> = new Set([
  "'mountOptions' does not exist in type 'BlockVolumeSetProps'",
  "'snapshots' does not exist in type 'SharedVolumeSetProps'",
  "'customEncryption' does not exist in type 'SharedVolumeSetProps'",
  "'capacityAI' does not exist in type 'StatefulWorkloadOptions'",
  "'capacityAI' does not exist in type 'StatefulLocalWorkloadOptions'",
  "'capacityAIUpdateMinutes' does not exist in type 'StatefulWorkloadOptions'",
  "'capacityAIUpdateMinutes' does not exist in type 'StatefulLocalWorkloadOptions'",
  "'multi' does not exist in type 'CronAutoscaling'",
  "'replicaDirect' does not exist in type 'WorkloadLoadBalancer'",
  "'vm' does not exist in type 'ServerlessWorkloadFields'",
  "'vm' does not exist in type 'StandardWorkloadFields'",
  "'vm' does not exist in type 'StatefulWorkloadFields'",
  "'vm' does not exist in type 'CronWorkloadFields'",
]);

function isOnPurpose(line: string): boolean {
  const [, field, type] = /('\w+' does not exist in type )'(?:\{.*\} & )?(\w+)/.exec(line) ?? [];
  return onPurpose.has(`${field}'${type}'`);
}

/** The records that every rule of the platform accepts, each once. */
function accepted(records: readonly JsonObject[], validators: Validators): readonly JsonObject[] {
  const distinct = new Map(records.map((record) => [JSON.stringify(record), record]));
  return [...distinct.values()].filter((value) => {
    const { problems } = checkManifests([{ value, locate: () => ({ file: 'x', line: 1, column: 1 }) }], {
      org: 'test',
      validators,
    });
    return problems.every(
      ({ severity, rule }) => !narrower.has(rule) && (severity === 'warning' || rule === 'reference.missing'),
    );
  });
}

const counts = new Map<string, number>();
let said: ReadonlyMap<string, string> = new Map();
let programs: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  const validators = await loadValidators(creatableKinds);
  programs = new Map(
    creatableKinds.map((kind) => {
      const right = accepted(recordsOf(kind), validators);
      counts.set(kind, right.length);
      // The sample has every fourth record, so each form of a kind is in many of them.
      const compiled = isEverySample ? right : right.filter((_, index) => index % 4 === 0);
      const adopted = compiled.map((manifest, index) => ({
        id: `${kind}/${index}` as const,
        manifest,
        placeholders: [],
        unknown: [],
      }));
      return [kind, typescriptStack(adopted, 'right')] as const;
    }),
  );
  const example = readFileSync(new URL('../../examples/shop/stack.ts', import.meta.url), 'utf8');
  const settings = readFileSync(new URL('../../examples/shop/settings.ts', import.meta.url), 'utf8');
  programs = new Map([...programs, ['example', example.replace(/^import .* from '.\/settings.ts';$/m, settings)]]);
  said = await compile(programs);
}, 120_000);

describe("records that the platform's rules accept compile", () => {
  test.each([...creatableKinds, 'example'])('%s', (kind) => {
    const lines = (programs.get(kind) ?? '').split('\n');
    const found = (said.get(kind) ?? '').split('\n').filter((line) => line !== '' && !isOnPurpose(line));
    const shown = found.slice(0, 12).map((line) => {
      const row = Number(/\((\d+),/.exec(line)?.[1] ?? '0');
      return row === 0 ? line : `${line}   <<${lines[row - 1]?.trim()}>>`;
    });
    expect(shown.join('\n')).toBe('');
  });

  test('there are many records, and some of every kind', () => {
    expect(creatableKinds.filter((kind) => (counts.get(kind) ?? 0) === 0)).toEqual([]);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3000);
  });
});
