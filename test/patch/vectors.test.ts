import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonArray, type JsonObject, listAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { diff } from '../../src/patch/diff.ts';
import { creatableKinds, type Kind } from '../../src/schema/record/kinds.ts';

const folder = new URL('../vectors/', import.meta.url);
const context = { org: 'acme', gvc: 'shop' };

function vectors(file: string): readonly JsonObject[] {
  const read: JsonArray = listAt(
    { read: JSON.parse(JSON.stringify(load(readFileSync(new URL(file, folder), 'utf8')))) },
    'read',
  );
  return read.filter(isObject);
}

function kindOf(vector: JsonObject): Kind {
  const kind = creatableKinds.find((each) => each === vector['kind']);
  if (kind === undefined) throw new Error(`the vector "${String(vector['it'])}" names no kind`);
  return kind;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const directiveFiles = files.filter((file) => file.startsWith('patch-'));

test('there are at least 120 vectors, each with its section', () => {
  const all = files.flatMap(vectors);
  process.stdout.write(`${all.length} vectors\n`);
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(all.filter((vector) => !/^platform\//.test(stringAt(vector, 'section') ?? ''))).toEqual([]);
});

test.each(['patch-drop-fields', 'patch-replace', 'patch-drop-items', 'patch-append', 'patch-items', 'patch-retain'])(
  '%s has at least 10 vectors and a refused one (platform/patch.directives)',
  (name) => {
    const all = vectors(`${name}.yaml`);
    expect(all.length).toBeGreaterThanOrEqual(10);
    expect(all.filter((vector) => 'refused' in vector).length).toBeGreaterThanOrEqual(1);
  },
);

describe.each(directiveFiles)('%s', (file) => {
  test.each(vectors(file).map((vector) => [`${String(vector['it'])} (${String(vector['section'])})`, vector] as const))(
    '%s',
    (_, vector) => {
      const kind = kindOf(vector);
      const live = objectAt(vector, 'live');
      const before = JSON.stringify(live);
      const applied = applyPatch(shapeOf(kind, live), live, objectAt(vector, 'patch'), context);
      if ('refused' in vector) {
        expect(applied.ok ? applied.record : applied.problems.map(({ rule }) => rule)).toEqual([vector['refused']]);
      } else {
        expect(applied).toEqual({ ok: true, record: vector['result'] });
      }
      expect(JSON.stringify(live)).toBe(before);
    },
  );
});

describe('diff.yaml', () => {
  test.each(
    vectors('diff.yaml').map((vector) => [`${String(vector['it'])} (${String(vector['section'])})`, vector] as const),
  )('%s', (_, vector) => {
    const directives = vector['directives'] === 'stated' ? 'stated' : 'all';
    const options = { context, directives } as const;
    const found = diff(kindOf(vector), objectAt(vector, 'live'), objectAt(vector, 'desired'), options);
    expect(found?.patch ?? null).toEqual(vector['patch']);
    if (found !== undefined) {
      expect(diff(kindOf(vector), found.proof, objectAt(vector, 'desired'), options)).toBeUndefined();
    }
  });
});
