import { describe, expect, test } from 'vitest';
import { differences } from '../../../src/apply/replyCheck.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { makeUndo } from '../../../src/change/makeUndo.ts';
import { planned, readBack, textOf } from '../../change/saved/saving.ts';
import { changeOf, codes, declare, hash, live, org, plan, snapshot } from '../world.ts';

/** A platform that masks every value that looks like a secret; the manifest marks it as sensitive. */
const marks = { sensitive: ['spec.env.TOKEN.value'] };
const token = { name: 'TOKEN', value: 'hush-hush' };
const masks = ['***', '********', '[redacted]', '<hidden>', '••••', 'hu***'];

function declared(more: readonly JsonObject[] = [], lifecycle: JsonObject = {}) {
  return declare('gvc/g', { spec: { env: [token, ...more] } }, { ...marks, ...lifecycle });
}

function there(mask: string, more: readonly JsonObject[] = [], version = 1) {
  return live('gvc/g', { spec: { env: [{ name: 'TOKEN', value: mask }, ...more] } }, { version });
}

const closures = new Map([['g', { known: true, children: [] }]]);
const other = { name: 'OTHER', value: 'x' };

describe.each(masks)('secret.marked: a marked value for which the platform shows %s', (mask) => {
  test.each(['stated', 'all'] as const)('is not changed and not written back (list keys: %s)', (directives) => {
    const kept = changeOf(plan([declared()], snapshot([there(mask)], { directives, closures })), 'gvc/g');
    expect(kept).toMatchObject({ action: 'keep', fields: [] });
    expect(kept.notes.join()).toContain('spec.env.TOKEN.value: its value is unknown');

    const changed = changeOf(plan([declared([other])], snapshot([there(mask)], { directives, closures })), 'gvc/g');
    expect(changed.fields.map(({ path }) => path)).toEqual(['spec.env.OTHER.name', 'spec.env.OTHER.value']);
    expect(JSON.stringify(changed.patch?.toSend())).not.toContain(mask);
    const fewer = changeOf(plan([declared()], snapshot([there(mask, [other])], { directives, closures })), 'gvc/g');
    expect(JSON.stringify(fewer.patch?.toSend())).not.toContain(mask);
  });

  test('is written with --write-unknown-secrets', () => {
    const change = changeOf(plan([declared()], [there(mask)], { writeUnknownSecrets: true }), 'gvc/g');
    expect(JSON.stringify(change.patch?.toSend())).toContain('hush-hush');
  });

  test.each(['stated', 'all'] as const)(
    'is not part of an undo, which omits it or is refused (list keys: %s)',
    (directives) => {
      const of = planned([declared([other])], snapshot([there(mask)], { directives, closures }));
      expect(codes(of.plan)).toEqual([]);
      const after = there(mask, [other], 2);
      const undo = makeUndo(
        readBack(textOf(of)),
        snapshot([after], { directives, closures }),
        { allowCollateral: 0, allowDataLoss: 0 },
        hash,
      );
      const { patch } = changeOf(undo.plan, 'gvc/g');
      const isWritten = JSON.stringify(patch?.expose() ?? {}).includes(mask);
      expect(codes(undo.plan)).toEqual(isWritten ? ['plan.masked'] : []);
    },
  );

  test('is no divergence in a response, but another value is one', () => {
    const { create, expected } = changeOf(plan([declared()], []), 'gvc/g');
    if (create === undefined || expected === undefined) throw new Error('it is not created');
    const promised = { body: create.toSend(), expected };
    const answer = (value: string) => {
      const made = there(value);
      return { ...made, record: { ...made.record, ...expected.expose(), spec: { env: [{ name: 'TOKEN', value }] } } };
    };
    expect(differences(promised, answer(mask), org)).toEqual([]);
    expect(differences(promised, answer('another'), org)).toEqual(['spec.env.TOKEN.value']);
  });
});

test('an unmarked value is compared as it is, even if it looks like a mask', () => {
  const unmarked = declare('gvc/g', { spec: { env: [token] } });
  expect(changeOf(plan([unmarked], [there('***')]), 'gvc/g').fields.map(({ path }) => path)).toEqual([
    'spec.env.TOKEN.value',
  ]);
});

test('a declared value that looks like a mask is written', () => {
  const stars = declare('gvc/g', { spec: { env: [{ name: 'TOKEN', value: '***' }] } }, marks);
  const made = plan([stars], [there('before')]);
  expect(codes(made)).toEqual([]);
  expect(JSON.stringify(changeOf(made, 'gvc/g').patch?.toSend())).toContain('***');
});
