import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../src/hcl/attribute.ts';
import { type ObjectValue, unknown } from '../../../src/hcl/value.ts';
import { effectiveConfig } from '../../../src/provider/services/applyChange.ts';

const optional = { description: '', optional: true } as const;
const text = { ...optional, type: 'string' } as const;
const attributes: Attributes = {
  a: text,
  b: { ...text, computed: true },
  secret: { ...text, writeOnly: true },
  tags: { ...optional, type: ['map', 'string'] },
  spec: {
    ...optional,
    nesting: 'single',
    attributes: { a: text, items: { ...optional, nesting: 'list', attributes: { a: text, b: text } } },
  },
};
const none: ObjectValue = { a: null, b: null, secret: null, tags: null, spec: null };

describe('the configuration in an apply', () => {
  it('follows the plan if a change is ignored, also for a key, an addition and a removal', () => {
    const config = { ...none, a: 'new', tags: { ignored: 'x', own: 'y', added: 'z' } };
    const planned = { ...none, a: 'old', tags: { ignored: 'theirs', own: 'y', removed: 'w' } };
    expect(effectiveConfig(attributes, config, planned, planned)).toEqual(planned);
  });

  it('keeps values that only the configuration has, and leaves out values that the platform chooses', () => {
    const config = { ...none, a: 'x', secret: 's' };
    const planned = { ...none, a: 'x', b: 'default' };
    expect(effectiveConfig(attributes, config, planned, { ...none, b: 'before' })).toEqual({
      ...none,
      a: 'x',
      secret: 's',
    });
    expect(effectiveConfig(attributes, config, { ...planned, b: unknown }, none)).toMatchObject({ b: null });
  });

  it('keeps null for an unchanged attribute that is not set', () => {
    expect(effectiveConfig(attributes, none, { ...none, b: 'same' }, { ...none, b: 'same' })).toMatchObject({
      b: 'same',
    });
  });

  it('merges objects and lists, item by item', () => {
    const config = {
      ...none,
      spec: {
        a: 'x',
        items: [
          { a: '1', b: null },
          { a: '2', b: null },
        ],
      },
    };
    const planned: ObjectValue = {
      ...none,
      spec: {
        a: 'ignored',
        items: [
          { a: '1', b: 'filled' },
          { a: 'ignored', b: unknown },
        ],
      },
    };
    expect(effectiveConfig(attributes, config, planned, none)).toEqual({
      ...none,
      spec: {
        a: 'ignored',
        items: [
          { a: '1', b: null },
          { a: 'ignored', b: null },
        ],
      },
    });
  });
});
