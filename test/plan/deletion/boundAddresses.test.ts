import { describe, expect, test } from 'vitest';
import { changeOf, closure, codes, declare, live, plan, snapshot } from '../world.ts';

const linked = { spec: { link: '//gvc/g' } };
const naming = { spec: { loadBalancer: { dedicated: true, ipSet: '//ipset/fixed' } } };

/** Both records name each other, so the addresses are bound, and DELETE answers 400 (platform/ipset.addresses). */
describe('an IP set with bound addresses', () => {
  test('is deleted after the GVC that it is bound to, whose reference alone would not block it', () => {
    const made = plan(
      [],
      snapshot([live('gvc/g', naming), live('ipset/fixed', linked)], { closures: closure('g', []) }),
      { allowEmpty: true },
    );
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'ipset/fixed').requires.map(({ on }) => on)).toEqual(['gvc/g']);
    expect(changeOf(made, 'gvc/g').requires).toEqual([]);
  });

  test('is deleted after the update that makes the GVC stop using it', () => {
    const made = plan([declare('gvc/g')], [live('gvc/g', naming), live('ipset/fixed', linked)]);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'gvc/g').action).toBe('patch');
    expect(changeOf(made, 'ipset/fixed').requires.map(({ on }) => on)).toEqual(['gvc/g']);
  });

  test('is not deleted while the GVC uses it', () => {
    const made = plan([declare('gvc/g', naming)], [live('gvc/g', naming), live('ipset/fixed', linked)]);
    expect(codes(made)).toContain('delete.referenced');
  });

  test('without its own link is not bound and can be deleted', () => {
    const made = plan([declare('gvc/g', naming)], [live('gvc/g', naming), live('ipset/fixed')]);
    expect(codes(made)).not.toContain('delete.referenced');
  });
});
