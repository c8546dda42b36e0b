import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allTypes } from '../../../src/kinds/allTypes.ts';
import {
  describedFields,
  describedSecretData,
  descriptionOf,
  descriptionsOf,
  descriptionsOfSecretData,
  wordsOf,
} from '../../../src/kinds/describedFields.ts';
import { manifestSchema } from '../../../src/kinds/jsonSchema.ts';
import { sheets } from '../../../src/kinds/list.ts';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import type { WorkloadType } from '../../../src/schema/facts/workloadTypes.ts';
import { creatableKinds, isKnownKind } from '../../../src/schema/record/kinds.ts';

const kinds = Object.keys(sheets).filter(isKnownKind);
const fields = [...kinds.flatMap(describedFields), ...secretTypes.flatMap(describedSecretData)];
const byName = new Map(fields.map((field) => [`${field.owner}.${field.name}`, field]));

test('every field of every kind is described', () => {
  expect(fields.filter(({ words }) => words === undefined).map(({ owner, path }) => `${owner}: ${path}`)).toEqual([]);
});

test('every object has a named type, and only objects do', () => {
  const wrong = fields.filter(
    ({ node, words }) => JSON.stringify(node).includes('"properties"') !== (words?.type !== undefined),
  );
  // An object without members needs a type too: its name is its only description.
  expect(wrong.map(({ owner, path }) => `${owner}: ${path}`)).toEqual([]);
});

test('no description names a field that does not exist', () => {
  const described = Object.entries(allTypes).flatMap(([type, words]) =>
    Object.keys(words.fields).map((field) => `${type}.${field}`),
  );
  expect(described.filter((name) => !byName.has(name))).toEqual([]);
});

test('every named type is used', () => {
  const roots = new Set<string>(Object.values(sheets).map(({ typeName }) => typeName));
  const used = new Set(fields.flatMap(({ words, owner }) => [words?.type, owner]));
  expect(Object.keys(allTypes).filter((type) => !used.has(type) && !roots.has(type))).toEqual([]);
  expect([...used].filter((type) => type !== undefined && !Object.hasOwn(allTypes, type))).toEqual([]);
});

test('the descriptions are sentences, and contain more than the name', () => {
  const poor = [...byName].filter(([, { name, words }]) => {
    const text = descriptionOf(words);
    const spokenName = name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase();
    const isNameAlone = text.toLowerCase().replace(/^(the|a|an) /, '') === `${spokenName}.`;
    return isNameAlone || !/^([A-Z`0-9]|gRPC).{6,}[.]$/.test(text);
  });
  expect(poor.map(([name, { words }]) => [name, words?.words])).toEqual([]);
});

test('every cited section exists in docs/platform', () => {
  const folder = new URL('../../../docs/platform/', import.meta.url);
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const sections = new Set(
    documents.flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^#+ ([\w.-]+):/gm)].map(([, id]) => id),
    ),
  );
  const named = new Set([
    ...fields.map(({ section }) => section),
    ...Object.values(allTypes).map(({ section }) => section),
  ]);
  expect([...named].filter((section) => !sections.has(section))).toEqual([]);
});

test.each(creatableKinds)('the JSON Schema of %s contains all of them', (kind) => {
  const published = JSON.stringify(manifestSchema(kind));
  const missing = describedFields(kind)
    .filter(({ path }) => path !== 'kind' && path !== 'gvc') // a manifest has these of its own
    .filter(({ owner, name }) => !published.includes(JSON.stringify(descriptionOf(wordsOf(owner, name)))));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test.each<[readonly WorkloadType[], string]>([
  [['cron'], 'Only for cron.'],
  [['serverless', 'standard'], 'Only for serverless and standard.'],
  [['standard', 'stateful', 'vm'], 'Not for serverless or cron.'],
  [['serverless', 'standard', 'stateful', 'cron'], 'Not for vm.'],
])('the description of a field of %j contains the types: %s', (only, words) => {
  expect(descriptionOf({ words: 'How often.', only })).toBe(`How often. ${words}`);
});

test('a field without text has no description', () => {
  expect([descriptionOf(undefined), descriptionOf({ words: 'How often.' })]).toEqual(['', 'How often.']);
  expect(wordsOf('Unknown', 'name')).toBeUndefined();
  expect(wordsOf('Container', 'kind')).toBeUndefined();
});

test('the data of a secret is described as a whole and by field', () => {
  expect([...descriptionsOfSecretData('azure-connector').keys()]).toEqual(['', 'url', 'code']);
  expect([...descriptionsOfSecretData('docker')]).toEqual([['', expect.stringContaining('registry')]]);
  expect([...descriptionsOfSecretData('other')]).toEqual([['', '']]);
  expect(['dictionary', 'docker', 'other', 'constructor'].map((type) => describedSecretData(type))).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test.each([
  ['spec', true],
  ['spec.identityLink', false],
  ['spec.containers', true],
  ['spec.containers.*.name', true],
  ['spec.containers.*.env.*.name', true],
  ['spec.containers.*.cpu', false],
  ['spec.job.schedule', true],
  ['spec.localOptions.*.location', true],
])('%s of a workload is required: %s', (path, required) => {
  expect(describedFields('workload').find((field) => field.path === path)?.required).toBe(required);
});

test('a nested field is described too, in lists and maps', () => {
  const fieldsOfWorkload = describedFields('workload');
  const location = fieldsOfWorkload.find(({ path }) => path === 'spec.localOptions.*.location');
  expect(location).toMatchObject({ name: 'location', facts: { link: { to: ['location'] } } });
  const inherited = fieldsOfWorkload.find(({ path }) => path === 'spec.localOptions.*.capacityAI');
  expect(inherited?.words).toEqual(wordsOf('WorkloadOptions', 'capacityAI'));
  expect(descriptionsOf('workload').get('spec.localOptions.*.capacityAI')).toBe(descriptionOf(inherited?.words));
});
