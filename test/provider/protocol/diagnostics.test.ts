import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/base/toolError.ts';
import type { Attributes } from '../../../src/hcl/attribute.ts';
import { diagnosticMessage, diagnosticOf, pathMessage } from '../../../src/provider/protocol/diagnostics.ts';

const optional = { description: '', optional: true } as const;
const attributes: Attributes = {
  tags: { ...optional, type: ['map', 'string'] },
  ports: { ...optional, type: ['list', 'number'] },
  names: { ...optional, type: ['set', 'string'] },
  env: { ...optional, nesting: 'map', attributes: { value: { ...optional, type: 'string' } } },
  containers: { ...optional, nesting: 'list', attributes: { image: { ...optional, type: 'string' } } },
};

describe('the path of a diagnostic', () => {
  it.each(
    // biome-ignore format: a row is a case
    [
      [['tags', 'team'], [{ attribute_name: 'tags' }, { element_key_string: 'team' }]],
      [['ports', 0], [{ attribute_name: 'ports' }, { element_key_int: 0 }]],
      [['env', 'X', 'value'], [{ attribute_name: 'env' }, { element_key_string: 'X' }, { attribute_name: 'value' }]],
      [['containers', 1, 'image'],
        [{ attribute_name: 'containers' }, { element_key_int: 1 }, { attribute_name: 'image' }]],
    ],
  )('%j distinguishes names of attributes from keys', (path, steps) => {
    expect(pathMessage(path, attributes)).toEqual({ steps });
  });

  it('ends at a set, whose items have no names, and at names that the schema does not have', () => {
    expect(pathMessage(['names', 'x'], attributes)).toEqual({ steps: [{ attribute_name: 'names' }] });
    expect(pathMessage(['containers', 0, 'none'], attributes).steps).toHaveLength(2);
    expect(pathMessage(['none'], attributes)).toEqual({ steps: [] });
    const said = { severity: 'error', summary: 'no', detail: '', path: ['none'] } as const;
    expect(diagnosticMessage(said, attributes)).toEqual({ severity: 1, summary: 'no', detail: '' });
    expect(diagnosticMessage({ ...said, path: ['tags'] }, attributes)).toHaveProperty('attribute.steps.length', 1);
  });
});

describe('an error as a diagnostic', () => {
  it('contains the message, its hint and its code', () => {
    const error = new ToolError({ code: 'api.forbidden', message: 'you may not', hint: 'Ask somebody.' });
    expect(diagnosticOf(error, 'ReadResource')).toEqual({
      severity: 'error',
      summary: 'You may not',
      detail: 'Ask somebody.\n(api.forbidden)',
    });
  });

  it.each([
    ['gvc/tfg does not exist', 'gvc/tfg does not exist'],
    ['spec.containers is missing', 'spec.containers is missing'],
    ['minScale is 3, more than maxScale', 'minScale is 3, more than maxScale'],
    ['workload gvc/tfg/web is not ready', 'Workload gvc/tfg/web is not ready'],
  ])('%j gets a capital letter only if it does not begin with a name', (message, summary) => {
    expect(diagnosticOf(new ToolError({ code: 'api.not-found', message }), 'Read').summary).toBe(summary);
  });

  it('names attributes of the provider block instead of options', () => {
    const hint = 'Raise --consistency-timeout, or check --org; --org-wide and --stack stay.';
    expect(diagnosticOf(new ToolError({ code: 'apply.in-use', message: 'no', hint }), 'Apply').detail).toBe(
      'Raise consistency_timeout, or check org; --org-wide and --stack stay.\n(apply.in-use)',
    );
  });

  it('lists the causes that its message does not contain', () => {
    const causes = ['one is full', 'two is gone'].map((message) => ({ code: 'api.several', message, hint: undefined }));
    const error = new ToolError({ code: 'api.several', message: 'not done: one is full', causes });
    expect(diagnosticOf(error, 'Apply').detail).toBe('- two is gone\n(api.several)');
  });

  it('is reported as our fault if it is unexpected, without a trace', () => {
    const { summary, detail } = diagnosticOf(new TypeError('x is not a function'), 'ReadResource');
    expect(summary).toBe('The Gantry provider made a mistake in ReadResource');
    expect(detail).toContain('x is not a function');
    expect(detail).not.toMatch(/\bat .*:\d+:\d+/);
  });
});
