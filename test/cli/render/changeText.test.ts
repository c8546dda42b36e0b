import { expect, test } from 'vitest';
import { changeDocument } from '../../../src/change/documents/planDocument.ts';
import { renderField } from '../../../src/cli/output/fieldText.ts';
import type { ChangeStyle } from '../../../src/cli/output/showPlan.ts';
import { renderBody, renderProblem } from '../../../src/cli/output/treeText.ts';
import type { UncheckedChange } from '../../../src/plan/model/change.ts';
import { lineDiff } from '../../../src/report/lineDiff.ts';
import { changeItem } from '../../../src/report/tree/change.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { change } from '../../apply/harness/plans.ts';

const look: ChangeStyle = {
  palette: makePalette(false),
  lineDiff: undefined,
  bodies: false,
  detail: 'normal',
  width: Number.POSITIVE_INFINITY,
};
const text = (parts: Partial<UncheckedChange>) =>
  renderBody(
    changeItem(changeDocument(change('workload/g/w', { action: 'adopt', risk: 'rolling-restart', ...parts }))),
    look,
  ).join('\n');
const why = 'every write of a workload, even of a tag or a description, makes a new version that is rolled out';

test('a restart that no field explains gets an explanation', () => {
  expect(text({})).toContain(why);
  expect(text({ action: 'patch', fields: [{ path: 'description', new: 'x', risk: 'metadata' }] })).toContain(why);
  expect(text({ action: 'forget' })).toContain(why);
});

test('a restart that a field explains, and other risks, get no explanation', () => {
  const fields = [{ path: 'spec.containers.main.image', old: 'a:1', new: 'a:2', risk: 'rolling-restart' }] as const;
  expect(text({ action: 'patch', fields })).not.toContain(why);
  expect(text({ risk: 'capacity-down', action: 'delete' })).not.toContain(why);
  expect(text({ ...change('group/g', { action: 'adopt' }), risk: 'metadata' })).not.toContain(why);
});

test('of a long list of objects only the changed items are shown', () => {
  const binding = (...names: readonly string[]) => ({ permissions: ['view'], principalLinks: names });
  const field = { path: 'bindings', old: [binding('//user/a')], new: [binding('//user/a'), binding('//user/b')] };
  expect(renderField(field, 8, { ...look, lineDiff })).toEqual([
    '~ bindings',
    '      {"permissions":["view"],"principalLinks":["//user/a"]}',
    '    + {"permissions":["view"],"principalLinks":["//user/b"]}',
  ]);
  expect(
    renderField({ path: 'ports', old: [{ number: 80 }], new: [{ number: 81 }] }, 5, { ...look, lineDiff }),
  ).toEqual(['~ ports  [{"number":80}] → [{"number":81}]']);
});

test('each line of a refusal uses the whole width', () => {
  const refusal = {
    code: 'reference.missing',
    message: 'spec.identityLink refers to identity/shop/web, which is neither declared nor live',
  };
  const lines = renderProblem({ node: 'problem', word: 'refused', ...refusal }, { ...look, width: 40 });
  expect(lines).toEqual([
    'refused reference.missing:',
    '  spec.identityLink refers to',
    '  identity/shop/web, which is neither',
    '  declared nor live',
  ]);
});

test('a long value is shown around the part that differs', () => {
  const long = (end: string) => `${'a'.repeat(400)}${end}`;
  const head = `${'a'.repeat(40)}…`;
  expect(renderField({ path: 'value', old: long('1 x'), new: long('2 x') }, 5, look)).toEqual([
    `~ value  ${head}${'a'.repeat(257)}1 x (403 characters) → ${head}${'a'.repeat(257)}2 x (403 characters)`,
  ]);
  const args = { path: 'args', old: ['-v', long('1')], new: ['-v', long('2'), long('3')] };
  expect(renderField(args, 4, { ...look, lineDiff })).toEqual([
    '~ args',
    '      -v',
    `    - ${head}${'a'.repeat(259)}1 (401 characters)`,
    `    + ${head}${'a'.repeat(259)}2 (401 characters)`,
    `    + ${'a'.repeat(300)}… (401 characters)`,
  ]);
  expect(renderField(args, 4, { ...look, lineDiff, whole: true }).slice(2)).toEqual([
    `    - ${long('1')}`,
    `    + ${long('2')}`,
    `    + ${long('3')}`,
  ]);
});
