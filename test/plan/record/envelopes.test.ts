import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { manifestOf } from '../../../src/change/adopt.ts';
import { changesOf } from '../../../src/change/attributeDrift.ts';
import { makeUndo } from '../../../src/change/makeUndo.ts';
import { movedSince, savedRecord } from '../../../src/plan/record/savedRecord.ts';
import { type CreatableKind, creatableKinds, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { planned, readBack, textOf } from '../../change/saved/saving.ts';
import { changeOf, codes, declare, hash, live, org, plan, snapshot } from '../world.ts';

/** Fields beside the content: those of every record, and those that a platform adds. */
const envelopes: readonly (readonly [string, JsonObject])[] = [
  ['spec: {}', { spec: {} }],
  ['status: {}', { status: {} }],
  ['health: {}', { health: {} }],
  ['unknown members', { etag: 'abc', alias: 'x1', usage: { cpu: 1 } }],
];

/** The content that each kind requires. */
const content: Partial<Record<CreatableKind, JsonObject>> = {
  secret: { type: 'opaque', data: { payload: 'x', encoding: 'plain' } },
  policy: { targetKind: 'group' },
};

const cases = creatableKinds.flatMap((kind) =>
  envelopes.map(([it, envelope]): readonly [CreatableKind, string, JsonObject] => [kind, it, envelope]),
);

describe.each(cases)('a %s whose record has %s', (kind, _, envelope) => {
  const id = isGvcScoped(kind) ? `${kind}/shop/one` : `${kind}/one`;
  const gvc = isGvcScoped(kind) ? [live('gvc/shop')] : [];
  const home = isGvcScoped(kind) ? [declare('gvc/shop')] : [];
  const own = content[kind] ?? {};
  const there = (more: JsonObject, version = 1) => live(id, { ...own, ...envelope, ...more }, { version });

  test('needs no change', () => {
    const made = plan([...home, declare(id, own)], [...gvc, there({})]);
    expect(changeOf(made, id)).toMatchObject({ action: 'keep', fields: [] });
  });

  test('has no drift because of it or of later changes to it', () => {
    const before = live(id, own).record;
    const ref = there({}).ref;
    expect(
      changesOf({ ref, declared: declare(id, own) }, before, there({ etag: 'other' }).record, {
        org,
        owner: 'shop',
        hash,
      }),
    ).toEqual([]);
    const kept = { ...live(id, own), record: savedRecord(live(id, own)) };
    expect(movedSince(kept, there({ etag: 'other' }), org)).toEqual([]);
  });

  test('is adopted without it, and without a note on unknown fields', () => {
    const { manifest, unknown } = manifestOf(there({}), { org, hash, keysOf: () => [] });
    expect(unknown).toEqual([]);
    for (const name of Object.keys(envelope)) expect(manifest).not.toHaveProperty(name);
  });

  test('is not written by an undo', () => {
    const of = planned([...home, declare(id, { ...own, description: 'new' })], snapshot([...gvc, there({})]));
    expect(codes(of.plan)).toEqual([]);
    const after = there({ description: 'new', etag: 'other' }, 2);
    const undo = makeUndo(
      readBack(textOf(of)),
      snapshot([...gvc, after]),
      { allowCollateral: 0, allowDataLoss: 0 },
      hash,
    );
    const body = changeOf(undo.plan, id).patch?.toSend() ?? {};
    expect(Object.keys(body).filter((name) => name !== '$drop' && name !== 'description')).toEqual([
      'id',
      'version',
      'tags',
    ]);
  });
});
