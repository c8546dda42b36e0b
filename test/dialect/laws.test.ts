import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { ToolError } from '../../src/base/toolError.ts';
import type { Dialect, Way } from '../../src/dialect/dialect.ts';
import { readDialect } from '../../src/dialect/readDialect.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { awkward, invented } from './invented.ts';

/** Names and texts of both spellings, and similar ones. */
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

/** Mostly a value of the schema, with names of both spellings in every text; sometimes any value. */
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

/** Generates a field only if it is chosen, because shapes are deep. */
function later(shape: Shape): fc.Arbitrary<JsonValue> {
  return fc.constant(shape).chain(valueIn);
}

const kinds: readonly Kind[] = [...creatableKinds, ...readOnlyKinds];

function pathOf(kind: Kind): string {
  return kind === 'org' ? '/org/o' : `/org/o/${kind}`;
}

const dialects = [readDialect(invented, 'invented.yaml'), readDialect(awkward, 'awkward.yaml')];

/** Demands that each way leads from either spelling to the same one, which it does not change again. */
function settles(document: JsonValue, spell: (document: JsonValue, way: Way) => JsonValue): void {
  const [wire, neutral] = [spell(document, 'toWire'), spell(document, 'toNeutral')];
  expect(spell(wire, 'toWire')).toEqual(wire);
  expect(spell(neutral, 'toWire')).toEqual(wire);
  expect(spell(neutral, 'toNeutral')).toEqual(neutral);
  expect(spell(wire, 'toNeutral')).toEqual(neutral);
}

describe.each(dialects.map((dialect, index) => ({ dialect, index })))(
  'dialect $index translates both spellings to the same one:',
  ({ dialect }) => {
    test.each(kinds)('a sent %s', (kind) => {
      fc.assert(
        fc.property(valueIn(shapeOf(kind)), (document) => {
          settles(document, (each, way) => sent(dialect, pathOf(kind), each, way));
        }),
      );
    });

    test.each(kinds)('a returned %s, alone and in a list', (kind) => {
      fc.assert(
        fc.property(valueIn(shapeOf(kind)), (record) => {
          const one =
            record !== null && typeof record === 'object' && !Array.isArray(record) ? { ...record, kind } : record;
          const lists = [
            { kind: 'list', itemKind: kind, items: [one] },
            { kind: 'list', items: [one] },
          ];
          for (const document of [one, ...lists]) {
            settles(document, (each, way) => dialect.answer(pathOf(kind), 200, each, way));
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
          settles(document, (each, way) => sent(dialect, path, each, way));
          settles(document, (each, way) => dialect.answer(path, 200, each, way));
        }),
      );
    });

    test('an address and a header', () => {
      fc.assert(
        fc.property(fc.array(names, { maxLength: 6 }), fc.constantFrom('', '/audit'), names, (segments, root, last) => {
          const text = (value: JsonValue) => (typeof value === 'string' ? value : '');
          const address = `${root}/org/o/auditctx/${segments.join('/')}?contextName=${last}`;
          settles(address, (each, way) => dialect.address(text(each), way));
          settles(last.toLowerCase(), (each, way) => dialect.header(text(each), way));
        }),
      );
    });

    test.each(spelledFields())('the field $path of a $kind', ({ kind, path }) => {
      const neutral = path.reduceRight<JsonValue>((inner, key) => (key === '[]' ? [inner] : { [key]: inner }), 1);
      const wire = dialect.request(pathOf(kind), neutral, 'toWire');
      expect(wire).not.toEqual(neutral);
      expect(dialect.request(pathOf(kind), wire, 'toWire')).toEqual(wire);
      expect(dialect.request(pathOf(kind), wire, 'toNeutral')).toEqual(neutral);
      expect(dialect.request(pathOf(kind), neutral, 'toNeutral')).toEqual(neutral);
    });
  },
);

/** Translates a document. The result is a constant if it is refused because of two spellings of one name. */
function sent(dialect: Dialect, path: string, document: JsonValue, way: Way): JsonValue {
  try {
    return dialect.request(path, document, way);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'dialect.two-spellings') throw error;
    return 'two spellings';
  }
}

/** The fields of the schema whose name contains one of the four words, found without the dialect. */
function spelledFields(): readonly { readonly kind: Kind; readonly path: readonly string[] }[] {
  function below(shape: Shape, path: readonly string[]): readonly (readonly string[])[] {
    switch (shape.type) {
      case 'object':
        return [...shape.fields].flatMap(([name, field]) => [
          ...(/proxy|vendor|tracer/.test(name) ? [[...path, name]] : []),
          ...below(field, [...path, name]),
        ]);
      case 'list':
        return below(shape.item, [...path, '[]']);
      case 'map':
        return below(shape.value, [...path, 'k']);
      default:
        return [];
    }
  }
  return kinds.flatMap((kind) => below(shapeOf(kind), []).map((path) => ({ kind, path })));
}

test('a dialect without words and names changes nothing', () => {
  const neutral = readDialect({}, 'empty.yaml');
  fc.assert(
    fc.property(valueIn(shapeOf('workload')), (document) => {
      expect(neutral.request('/org/o/workload', document, 'toWire')).toEqual(document);
    }),
  );
});
