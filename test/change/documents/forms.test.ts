import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import { adoptionForm, adoptionSchema } from '../../../src/change/documents/adoptionDocument.ts';
import { driftForm, driftSchema } from '../../../src/change/documents/driftDocument.ts';
import { explanationDocumentForm, explanationSchema } from '../../../src/change/documents/explanationDocument.ts';
import { planForm, planSchema } from '../../../src/change/documents/planDocument.ts';
import { promotionForm, promotionSchema } from '../../../src/change/documents/promotionDocument.ts';
import { approvalForm, approvalSchema } from '../../../src/change/documents/signaturesDocument.ts';
import { statusForm, statusSchema } from '../../../src/change/documents/statusDocument.ts';
import { validationForm, validationSchema } from '../../../src/change/documents/validationDocument.ts';
import { examples } from './examples.ts';

interface Published {
  readonly name: keyof typeof examples;
  readonly schema: JsonObject;
  readonly form: { readonly is: (value: unknown) => boolean };
}

const published: readonly Published[] = [
  { name: 'adoption', form: adoptionForm, schema: adoptionSchema },
  { name: 'approval', form: approvalForm, schema: approvalSchema },
  { name: 'drift', form: driftForm, schema: driftSchema },
  { name: 'explanation', form: explanationDocumentForm, schema: explanationSchema },
  { name: 'plan', form: planForm, schema: planSchema },
  { name: 'promotion', form: promotionForm, schema: promotionSchema },
  { name: 'status', form: statusForm, schema: statusSchema },
  { name: 'validation', form: validationForm, schema: validationSchema },
];

/** Replacement values, valid or not. */
const others: readonly JsonValue[] = [null, true, 'no-such-word', -1, 0, 1.5, 2, [], {}];

/** The value with one position changed in every way: another value, one member less, one member more. */
function* changed(value: JsonValue): Generator<JsonValue> {
  yield* others;
  if (isArray(value)) {
    for (const [index, item] of value.entries()) for (const other of changed(item)) yield value.with(index, other);
  } else if (isObject(value)) {
    yield { ...value, noSuchMember: 1 };
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _member, ...rest } = value;
      yield rest;
      for (const other of changed(member)) yield { ...rest, [key]: other };
    }
  }
}

function validatorOf(schema: JsonObject) {
  return new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
}

test.each(published)('the schema of $name and its check accept every optional member', (of) => {
  const { name, form, schema } = of;
  expect(schema).toMatchObject({ $id: `gantry/${name}.json`, $schema: expect.stringContaining('/2020-12/schema') });
  expect(schema['title']).toContain('Gantry');
  const validate = validatorOf(schema);
  validate(examples[name]);
  expect(validate.errors ?? []).toEqual([]);
  expect(form.is(examples[name])).toBe(true);
});

test.each(published)(
  '$name is checked as its schema states, for any change of a document',
  ({ name, form, schema }) => {
    // The required fields of a manifest are only in the schema: each kind has its own.
    const example: JsonObject = { ...examples[name], ...(name === 'adoption' ? { manifests: [] } : {}) };
    const validate = validatorOf(schema);
    const differing = [...changed(example)].filter((other) => validate(other) !== form.is(other));
    expect(differing).toEqual([]);
  },
);
