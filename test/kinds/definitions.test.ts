import { defineKind } from 'gantry';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../src/project/settings/settingsFile.ts';
import { onlyNamed } from '../../src/schema/record/customKinds.ts';
import { isDeclarable, isGvcScoped, kindNamed } from '../../src/schema/record/kinds.ts';
import { linkOf, parseLink } from '../../src/schema/record/ref.ts';
import { withKinds } from './withKinds.ts';

withKinds({ gadget: { ...onlyNamed, scope: 'gvc' }, theme: onlyNamed });

test('a defined kind can be declared in manifests, and links can refer to it', () => {
  expect(['gadget', 'theme', 'widget'].map(isDeclarable)).toEqual([true, true, false]);
  expect([isGvcScoped('gadget'), isGvcScoped('theme')]).toEqual([true, false]);
  expect(kindNamed('widget')).toBeUndefined();
  const ref = parseLink('//gvc/shop/gadget/one', { org: 'acme' })?.ref;
  expect(ref).toEqual({ kind: 'gadget', name: 'one', gvc: 'shop' });
  expect(ref && linkOf(ref, 'acme')).toBe('/org/acme/gvc/shop/gadget/one');
  expect(parseLink('//gadget/one', { org: 'acme' })).toBeUndefined();
  expect(parseLink('//theme/dark', { org: 'acme' })?.ref).toEqual({ kind: 'theme', name: 'dark' });
});

describe('kinds in gantry.yaml', () => {
  test('contain all known facts', () => {
    const kinds = {
      widget: null,
      pool: { scope: 'gvc', immutable: ['spec.size'], listKeys: { 'spec.rules': 'name' }, disposable: true },
    };
    expect(parseSettings({ kinds }, 'gantry.yaml').kinds).toEqual({
      widget: { scope: 'org', immutable: [], listKeys: {}, disposable: false },
      pool: { scope: 'gvc', immutable: ['spec.size'], listKeys: { 'spec.rules': 'name' }, disposable: true },
    });
  });

  test.each([
    { it: 'a list', kinds: ['widget'], says: 'kinds must be an object' },
    { it: 'a kind of the schema', kinds: { workload: {} }, says: 'kinds.workload: Gantry knows the kind' },
    { it: 'another scope', kinds: { widget: { scope: 'world' } }, says: 'kinds.widget.scope must be org or gvc' },
  ])('are refused with $it', ({ kinds, says }) => {
    expect(() => parseSettings({ kinds }, 'gantry.yaml')).toThrow(
      expect.objectContaining({ code: 'settings.file', message: expect.stringContaining(says) }),
    );
  });
});

describe('defineKind()', () => {
  test('returns the kind, and may be called again with the same facts', () => {
    const lamp = defineKind('lamp', { scope: 'gvc', immutable: ['a', 'b'] });
    expect(lamp).toBe('lamp');
    expect(defineKind('lamp', { scope: 'gvc', immutable: ['b', 'a'] })).toBe('lamp');
    expect(isGvcScoped('lamp')).toBe(true);
  });

  test.each([
    { it: 'a kind of the schema', define: () => defineKind('workload'), says: 'Gantry knows the kind workload' },
    { it: 'other facts than before', define: () => defineKind('theme', { scope: 'gvc' }), says: 'otherwise already' },
  ])('is refused with $it, at the line of the call', ({ define, says }) => {
    expect(define).toThrow(expect.objectContaining({ code: 'stack.kind', message: expect.stringContaining(says) }));
    expect(define).toThrow(/test\/kinds\/definitions\.test\.ts:\d+:\d+/);
  });
});
