import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDialect } from '../../src/dialect/readDialect.ts';
import { steered, unchanged } from '../../src/dialect/words/renaming.ts';
import type { JsonObject, JsonValue } from '../../src/schema/json/json.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';
import { awkward, invented } from './invented.ts';

/** Names and texts of both sides, and what comes close to them. */
const words = [
  ...['scheme', 'proxy', 'vendor', 'tracer'],
  ...Object.values(invented.words),
  ...Object.values(awkward.words),
];
const named = [invented.names, awkward.names].flatMap((each) => [...Object.keys(each), ...Object.values(each)]);
const names = fc.oneof(
  fc.constantFrom(...words, ...named),
  fc.constantFrom(...words).chain((word) => {
    const [capital, upper] = [word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
    return fc.constantFrom(
      ...[
        `${word}_grpc`,
        `use_${word}`,
        `typed${capital}`,
        `${capital}X`,
        `${upper}_X`,
        `A${upper}`,
        `${word}2`,
        `x${word}`,
      ],
      ...[
        `${word}/protected`,
        `${word}/`,
        `a/${word}/b`,
        `${word}-agent`,
        `my-${word}`,
        `x-${word}-a`,
        `_${word}.example.com`,
      ],
      ...[
        `${word}://secret/x`,
        `${word}:`,
        `//auditctx/${word}`,
        `/org/o/auditctx/${word}/-x`,
        `/org/${word}/gvc/${word}`,
      ],
      ...[
        `${word}.filters.http.cors`,
        `type.example.com/${word}.A.${capital}`,
        `tags.${word}/a`,
        `spec.${word}.${word}_grpc`,
      ],
    );
  }),
  fc.constantFrom('kind', 'name', 'items', 'type', 'gvc', 'auditctx', 'secret', 'auditevent', 'typed_config', '@type'),
  fc.constantFrom('$drop', '$drop/env', '$patch/containers', '$replace/tags', '$append/http', '$', '$x/proxy', 'a.b'),
  fc.constantFrom('__proto__', 'constructor', '', 'metadata', 'tags', 'env', 'containers', 'data', 'proxy', 'query'),
  fc.string({ maxLength: 6 }),
);

const anything: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    names,
    fc.constantFrom<JsonValue>(null, true, 0, 1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Mostly what the schema says, with names of both sides in every text; now and then something else entirely. */
function valueIn(shape: Shape): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 10, arbitrary: proper(shape) }, { weight: 1, arbitrary: anything });
}

function proper(shape: Shape): fc.Arbitrary<JsonValue> {
  switch (shape.type) {
    case 'scalar':
      return shape.of === 'string' ? names : fc.oneof(names, fc.constantFrom<JsonValue>(1, true, null));
    case 'free':
      return anything;
    case 'map':
      return fc.dictionary(names, later(shape.value), { maxKeys: 3 });
    case 'list':
      return fc.array(later(shape.item), { maxLength: 2 });
    case 'object': {
      const fields = [...shape.fields].flatMap(([name, field]) => {
        const list =
          field.type === 'list' ? [[`$patch/${name}`, field] as const, [`$drop/${name}`, field] as const] : [];
        return [[name, field] as const, [`$replace/${name}`, field] as const, ...list];
      });
      return fc
        .tuple(
          fc.subarray(fields, { maxLength: Math.min(5, fields.length) }),
          fc.dictionary(names, anything, { maxKeys: 2 }),
        )
        .chain(([chosen, others]) =>
          fc
            .record(Object.fromEntries(chosen.map(([name, field]) => [name, later(field)])))
            .map((known): JsonObject => ({ ...others, ...known })),
        );
    }
  }
}

/** Shapes are deep: a field is only generated when it was chosen. */
function later(shape: Shape): fc.Arbitrary<JsonValue> {
  return fc.constant(shape).chain(valueIn);
}

const kinds: readonly Kind[] = [...creatableKinds, ...readOnlyKinds];

function pathOf(kind: Kind): string {
  return kind === 'org' ? '/org/o' : `/org/o/${kind}`;
}

const ways = [
  ['toWire', 'toNeutral'],
  ['toNeutral', 'toWire'],
] as const;
const dialects = [readDialect(invented, 'invented.yaml'), readDialect(awkward, 'awkward.yaml')];
const cases = ways.flatMap(([there, back]) => dialects.map((dialect, index) => ({ there, back, dialect, index })));

describe.each(cases)('$there and then $back is what it was (dialect $index)', ({ there, back, dialect }) => {
  test.each(kinds)('a %s that is sent', (kind) => {
    fc.assert(
      fc.property(valueIn(shapeOf(kind)), (document) => {
        const path = pathOf(kind);
        expect(dialect.request(path, dialect.request(path, document, there), back)).toEqual(document);
      }),
    );
  });

  test.each(kinds)('a %s that is answered, alone and in a list', (kind) => {
    fc.assert(
      fc.property(valueIn(shapeOf(kind)), (record) => {
        const path = pathOf(kind);
        const one =
          record !== null && typeof record === 'object' && !Array.isArray(record) ? { ...record, kind } : record;
        for (const document of [one, { kind: 'list', itemKind: kind, items: [one] }, { kind: 'list', items: [one] }]) {
          expect(dialect.answer(path, 200, dialect.answer(path, 200, document, there), back)).toEqual(document);
        }
      }),
    );
  });

  test.each([
    '/org/o/gvc/-query',
    '/org/o/auditctx/-query',
    '/org/o/gvc/g/workload/w/-command',
    '/audit/org/o',
    '/discovery',
  ])('any document at %s', (path) => {
    fc.assert(
      fc.property(anything, (document) => {
        expect(dialect.request(path, dialect.request(path, document, there), back)).toEqual(document);
        expect(dialect.answer(path, 200, dialect.answer(path, 200, document, there), back)).toEqual(document);
      }),
    );
  });

  test('an address and a header', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 6 }), fc.constantFrom('', '/audit'), names, (segments, root, last) => {
        const address = `${root}/org/o/auditctx/${segments.join('/')}?contextName=${last}`;
        expect(dialect.address(dialect.address(address, there), back)).toBe(address);
        const header = last.toLowerCase();
        expect(dialect.header(dialect.header(header, there), back)).toBe(header);
      }),
    );
  });
});

test('no two texts become one, whatever the names are steered to', () => {
  const pairs = fc.uniqueArray(fc.tuple(names, names), { maxLength: 5, selector: ([name]) => name });
  fc.assert(
    fc.property(pairs, fc.uniqueArray(names), (wanted, texts) => {
      fc.pre(new Set(wanted.map(([, image]) => image)).size === wanted.length);
      const renaming = steered(unchanged, new Map(wanted));
      for (const [name, image] of wanted) expect(renaming.toWire(name)).toBe(image);
      expect(new Set(texts.map(renaming.toWire)).size).toBe(texts.length);
      expect(texts.map((text) => renaming.toNeutral(renaming.toWire(text)))).toEqual(texts);
    }),
  );
});

test('without words and names nothing changes', () => {
  const neutral = readDialect({}, 'empty.yaml');
  fc.assert(
    fc.property(valueIn(shapeOf('workload')), (document) => {
      expect(neutral.request('/org/o/workload', document, 'toWire')).toEqual(document);
    }),
  );
});
