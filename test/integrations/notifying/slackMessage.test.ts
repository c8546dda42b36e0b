import { expect, test } from 'vitest';
import type { Notification } from '../../../src/integrations/notification.ts';
import { slackMessage } from '../../../src/integrations/postNotification.ts';

const none = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
const notification: Notification = {
  gantry: 'notification',
  formatVersion: 1,
  id: '1',
  at: '2026-01-01T00:00:00.000Z',
  version: '1',
  command: 'apply',
  outcome: 'partly',
  exitCode: 5,
  environment: 'prod',
  stacks: [{ org: 'acme', stack: 'shop', summary: { ...none, create: 2, delete: 1, keep: 7 }, risk: 'downtime' }],
  error: { code: 'apply.partly', message: 'something was written\n  and something else was not' },
  run: 'https://github.com/acme/shop/actions/runs/1',
};

test('a message names the command, the stack, the counts, the risk, and the reason', () => {
  expect(slackMessage(notification)).toEqual({
    text: [
      'gantry apply in `prod`: *partly*',
      '`acme/shop`: 2 to create, 1 to delete, risk downtime',
      '`apply.partly` `something was written and something else was not`',
      '<https://github.com/acme/shop/actions/runs/1|The job>',
    ].join('\n'),
  });
});

test.each([
  {
    it: 'a mention',
    value: '<!channel> <@U1> <!subteam^S1>',
    shown: '`&lt;!channel&gt; &lt;@\u200bU1&gt; &lt;!subteam^S1&gt;`',
  },
  { it: 'a mention of other programs', value: '@channel @all', shown: '`@\u200bchannel @\u200ball`' },
  { it: 'a link', value: '<https://evil.example|the job>', shown: '`&lt;https://evil.example|the job&gt;`' },
  { it: 'the end of a code span', value: '` *bold* `', shown: "`' *bold* '`" },
  { it: 'lines', value: 'a\n```\nb\r\u2028c', shown: "`a ''' bc`" },
  { it: 'an entity', value: '&lt;!channel&gt;', shown: '`&amp;lt;!channel&amp;gt;`' },
  { it: 'control characters and marks of direction', value: 'a\u001b[31mb\u202ec', shown: '`abc`' },
])('$it in a name is escaped', ({ value, shown }) => {
  const { text } = slackMessage({ ...notification, stacks: [], error: { code: 'x', message: value } });
  expect(text).toContain(`\`x\` ${shown}\n<https://`);
});

test('a thousand stacks and a long message are cut', () => {
  const stacks = Array.from({ length: 1_000 }, (_, index) => ({ org: 'acme', stack: `s${index}`, drifted: 1 }));
  const { text } = slackMessage({ ...notification, stacks, error: { code: 'x', message: 'y'.repeat(10_000) } });
  expect(text).toContain('`acme/s19`: 1 drifted resource\nand 980 more\n');
  expect(String(text).length).toBeLessThan(2_000);
});
