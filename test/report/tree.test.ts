import { expect, test } from 'vitest';
import { renderBody } from '../../src/cli/planText/treeText.ts';
import { changeItem } from '../../src/report/tree/change.ts';
import { makePalette } from '../../src/terminal/palette.ts';
import { changeOf } from './makeReports.ts';

test('what stands below a change is made when a printer asks for it', () => {
  const change = changeOf({});
  let reads = 0;
  const get = (): readonly string[] => {
    reads += 1;
    return ['seen'];
  };
  Object.defineProperty(change, 'notes', { get });
  const item = changeItem(change);
  expect(reads).toBe(0);
  expect(item.children()).toContainEqual({ node: 'line', line: ['note: ', { name: 'seen' }], tone: 'faint' });
});

const grants = (permissions: readonly string[], ...principalLinks: readonly string[]) => ({
  permissions,
  principalLinks,
});

test.each([
  {
    it: 'a binding',
    id: 'policy/p',
    path: 'bindings',
    old: [grants(['view', 'edit'], '//group/ops')],
    new: [grants(['view'], '/org/acme/group/ops'), grants(['reveal'], '//gvc/acme/identity/finder')],
    lines: ['+ reveal  identity/acme/finder', '- edit  group/ops'],
  },
  {
    it: 'a member',
    id: 'group/ops',
    path: 'memberLinks',
    old: ['//user/ana'],
    new: ['//user/bob'],
    lines: ['+ member  user/bob', '- member  user/ana'],
  },
  {
    it: 'an external address',
    id: 'workload/shop/web',
    path: 'spec.firewallConfig.external.inboundAllowCIDR',
    old: ['10.0.0.0/8'],
    new: ['0.0.0.0/0', '10.0.0.0/8'],
    lines: ['+ inbound from 0.0.0.0/0 to workload/shop/web'],
  },
  {
    it: 'a blocked address',
    id: 'workload/shop/web',
    path: 'spec.firewallConfig.external.outboundBlockedCIDR',
    old: [],
    new: ['1.2.3.4/32'],
    lines: ['- outbound from workload/shop/web to 1.2.3.4/32'],
  },
])('$it that changes is told as who gains and who loses what', ({ id, path, old, new: next, lines }) => {
  const [kind = ''] = id.split('/');
  const item = changeItem(changeOf({ id, kind, fields: [{ path, old, new: next }] }));
  const text = renderBody(item, { palette: makePalette(false), lineDiff: undefined, width: 80 });
  expect(text.slice(text.indexOf('      access:') + 1)).toEqual(lines.map((each) => `        ${each}`));
});
